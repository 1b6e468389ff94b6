/** How the system schedules the media thread, from the best to what every thread has. */
export const MEDIA_PRIORITIES = ['real_time', 'raised', 'normal'] as const;
export type MediaPriority = (typeof MEDIA_PRIORITIES)[number];

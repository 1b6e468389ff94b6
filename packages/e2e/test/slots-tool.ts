/** The HTTP tool of an agent of the demo. At `<models>/tools/free-slots` it really answers. */
export const slotsTool = (url: string) => ({
  type: 'http',
  name: 'find_free_slots',
  description: 'Finds free slots.',
  method: 'GET',
  url,
  send: 'query',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
});

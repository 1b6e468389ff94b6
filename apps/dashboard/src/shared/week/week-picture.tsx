import { Text } from '@mantine/core';
import { WEEKDAYS, type CallingWeek } from '@outdial/contracts';
import classes from './week-picture.module.css';
import { readTime } from './read-time.ts';
import { WEEKDAY_NAMES, weekWords } from '../words/week-words.ts';

const HOURS = [0, 6, 12, 18, 24];

interface WeekPictureProps {
  /** Only complete times are drawn. */
  readonly week: CallingWeek;
  /** Whose hours they are. */
  readonly label: string;
}

/** The open hours of a week, a bar for each day from midnight to midnight. */
export function WeekPicture({ week, label }: WeekPictureProps) {
  return (
    <div className={classes['week']} role="img" aria-label={`${label}: ${weekWords(week)}`}>
      {WEEKDAYS.map((day) => (
        <div key={day} className={classes['row']}>
          <Text size="xs" c="dimmed">
            {WEEKDAY_NAMES[day].slice(0, 3)}
          </Text>
          <div className={classes['track']}>
            {week[day].map((text, at) => (
              <Bar key={at} text={text} />
            ))}
          </div>
        </div>
      ))}
      <div className={classes['row']}>
        <span />
        <div className={classes['scale']}>
          {HOURS.map((hour) => (
            <Text key={hour} size="xs" c="dimmed" span className="tabular" style={{ left: percent(hour / 24) }}>
              {String(hour).padStart(2, '0')}
            </Text>
          ))}
        </div>
      </div>
    </div>
  );
}

function Bar({ text }: { readonly text: string }) {
  const time = readTime(text);
  if (time === null) return null;
  return (
    <div
      className={classes['open']}
      style={{ left: percent(time.from), width: percent(Math.max(0, time.to - time.from)) }}
    />
  );
}

const percent = (part: number) => `${100 * part}%`;

export const timeType = "DateTime64(3, 'UTC')";

/** The range of times that the database can compare with. All events lie inside it, so other times are moved to its ends. */
const earliest = Date.UTC(1970, 0);
const latest = Date.UTC(2100, 0);

/** A time as a parameter of `timeType`. */
export function storedTime(time: Date): string {
  const within = Math.min(Math.max(time.getTime(), earliest), latest);
  return new Date(within).toISOString().replace('T', ' ').slice(0, -1);
}

/** The time of a day, a second or a millisecond that the database answered. */
export const isoTime = (stored: unknown): string => {
  const [day, time = '00:00:00'] = (stored as string).split(' ');
  return new Date(`${day}T${time}Z`).toISOString();
};

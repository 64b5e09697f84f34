import { invalid } from '../../../shared/errors/errors.js';

/** The end of a day that a form names, in UTC. Throws 400 for what is no day. `field`: its name in the form. */
export function endOfDay(day: string, field: string): string {
  const end = new Date(`${day}T23:59:59.999Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(end.getTime())) throw invalid(`${field}: must be a day`);
  return end.toISOString();
}

/** The title of a copy of something, cut to a number of UTF-16 units. */
export function titleOfCopy(title: string, maxLength: number): string {
  const whole = `Copy of ${title}`;
  if (whole.length <= maxLength) return whole;
  // No half of a character that takes two.
  return `${whole.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

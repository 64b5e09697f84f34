import { readFileSync } from 'node:fs';
import robotsParser, { type Robot } from 'robots-parser';

/** Its types know it as a module of another kind. */
const parsed = robotsParser as unknown as (url: string, text: string) => Robot;
/** By which robots.txt may name us. */
const robotName = 'Bindery';

export interface AskedRobots {
  /** The address of the robots.txt, and the file that has it; none where the website has none. */
  address: string;
  file: string | undefined;
  urls: string[];
}

export interface RobotsAnswer {
  /** Whether each of the addresses may be read. */
  allowed: boolean[];
  /** Seconds between two requests. */
  delay: number;
}

/** Answers which addresses a website allows to be read. Runs in a worker, since its patterns may be written to take long. */
export function askRobots({ address, file, urls }: AskedRobots): RobotsAnswer {
  const robots = parsed(address, file === undefined ? '' : readFileSync(file, 'utf8'));
  return {
    allowed: urls.map((url) => robots.isAllowed(url, robotName) !== false),
    delay: robots.getCrawlDelay(robotName) ?? 0,
  };
}

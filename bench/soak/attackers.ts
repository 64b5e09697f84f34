import { setPriority } from 'node:os';
import { Client } from './client.js';
import { attacks, hostileAddress } from './hostile.js';
import { Record } from './record.js';
import type { HostileUrls } from './repositories.js';

/** What this process is told by its parent. */
export interface Orders {
  url: string;
  token: string;
  organization: string;
  urls: HostileUrls;
  /** Parts of the names of attacks; none: all attacks. */
  only: string[];
}

/**
 * The program of the attackers: a process of its own, so that what it costs to attack is not measured as slowness. Says
 * `ready`, attacks from the next message to the one after, and answers what it recorded.
 */
const { url, token, organization, urls, only } = JSON.parse(process.argv[2] ?? '') as Orders;
// They stand for other machines: they must not take the processor from what is measured.
setPriority(10);
const record = new Record();
const target = {
  client: new Client(url, token, hostileAddress),
  stranger: new Client(url, undefined, hostileAddress),
  token,
  organization,
  record,
};
const all = await attacks(target, urls);
const chosen = all.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
if (chosen.length === 0) throw new Error(`the attacks are: ${all.map(({ name }) => name).join(', ')}`);
const stop = new AbortController();
process.once('message', () => {
  for (const attack of chosen) void attack.run(stop.signal);
  process.once('message', () => {
    stop.abort();
    process.send?.(record.all(), () => process.exit(0));
  });
});
process.send?.('ready');

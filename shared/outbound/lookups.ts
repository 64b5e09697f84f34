import { CANCELLED, type LookupAddress, TIMEOUT } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { FairTurns } from '../work/fair-turns.js';
import { OutboundFailed } from './failure.js';
import { MachineNames } from './machine-names.js';
import { askNameServers, type NameServersOptions } from './name-servers.js';

/** The request that asks for a name. */
export interface Asking {
  /** The owner of the request; owners take turns. */
  owner: string;
  /** Aborts when the request is gone: nothing is asked or waits for it any more. */
  signal: AbortSignal;
}

/** Connections are used again, so that a name is seldom asked for twice; scripts may still open many to one host. */
const keptMs = 5_000;
const busy = 'too many names are looked up at once';

/**
 * Finds the addresses of names: those of the machine, then those that name servers say. Strangers choose names and may run their name servers,
 * so lookups take no thread, owners take turns, and each has a part of the lookups at once.
 */
export class Lookups {
  private readonly machine: MachineNames;
  private readonly asked: NameServersOptions;
  private readonly turns = new FairTurns({ max: 128, maxOfOwner: 8, waiting: 500, busy });
  private readonly kept = new LRUCache<string, LookupAddress[]>({ max: 1000, ttl: keptMs });

  constructor({ machine = new MachineNames(), ...asked }: NameServersOptions & { machine?: MachineNames } = {}) {
    this.machine = machine;
    this.asked = asked;
  }

  /** All addresses of a name, at least one. Throws `OutboundFailed`, or the reason of the signal. */
  async find(hostname: string, { owner, signal }: Asking): Promise<LookupAddress[]> {
    const known = await this.machine.addressesOf(hostname);
    if (known.length > 0) return known;
    const key = `${owner} ${hostname}`;
    const kept = this.kept.get(key);
    if (kept) return kept;
    const names = await this.machine.namesToAsk(hostname);
    const ask = () => askNameServers({ ...this.asked, signal }, (resolver) => firstOf(resolver, names));
    const found = await this.turns.run(owner, ask, signal).catch((error) => {
      signal.throwIfAborted();
      throw failureOf(hostname, error);
    });
    this.kept.set(key, found);
    return found;
  }
}

/** The lookups of this process. */
export const lookups = new Lookups();

/** The addresses of the first of the names that has any. Rejects as the last one failed. */
async function firstOf(resolver: Resolver, [name = '', ...others]: readonly string[]): Promise<LookupAddress[]> {
  try {
    return await bothFamilies(resolver, name);
  } catch (error) {
    if (others.length === 0 || codeOf(error) === CANCELLED) throw error;
    return firstOf(resolver, others);
  }
}

async function bothFamilies(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
}

const addressesOf = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

function failureOf(hostname: string, error: unknown): OutboundFailed {
  if (codeOf(error) === TIMEOUT)
    return new OutboundFailed('timeout', `the name servers of ${hostname} did not answer in time`);
  const isBusy = (error as { type?: unknown }).type === 'UNAVAILABLE';
  return new OutboundFailed('network', isBusy ? `${hostname}: ${busy}` : `${hostname} could not be found`);
}

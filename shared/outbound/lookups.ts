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
  async findAddresses(hostname: string, { owner, signal }: Asking): Promise<LookupAddress[]> {
    const known = await this.machine.ownAddresses(hostname);
    if (known.length > 0) return known;
    const key = `${owner} ${hostname}`;
    const kept = this.kept.get(key);
    if (kept) return kept;
    const names = await this.machine.expandBySearchDomains(hostname);
    const askServers = () => askNameServers({ ...this.asked, signal }, (resolver) => lookUpFirst(resolver, names));
    const found = await this.turns.run(owner, askServers, signal).catch((error) => {
      signal.throwIfAborted();
      throw lookupFailure(hostname, error);
    });
    this.kept.set(key, found);
    return found;
  }
}

/** The lookups of this process. */
export const lookups = new Lookups();

/** The addresses of the first of the names that has any. Rejects as the last one failed. */
async function lookUpFirst(resolver: Resolver, [name = '', ...others]: readonly string[]): Promise<LookupAddress[]> {
  try {
    return await lookUpBothFamilies(resolver, name);
  } catch (error) {
    if (others.length === 0 || errorCode(error) === CANCELLED) throw error;
    return lookUpFirst(resolver, others);
  }
}

async function lookUpBothFamilies(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [...answeredAddresses(four, 4), ...answeredAddresses(six, 6)];
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
}

const answeredAddresses = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

const errorCode = (error: unknown) => (error as NodeJS.ErrnoException).code;

function lookupFailure(hostname: string, error: unknown): OutboundFailed {
  if (errorCode(error) === TIMEOUT)
    return new OutboundFailed('timeout', `the name servers of ${hostname} did not answer in time`);
  const isBusy = (error as { type?: unknown }).type === 'UNAVAILABLE';
  return new OutboundFailed('network', isBusy ? `${hostname}: ${busy}` : `${hostname} could not be found`);
}

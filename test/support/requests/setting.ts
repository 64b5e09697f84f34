import type { NewUser } from '../fixtures.js';
import type { Client } from '../server.js';

/** An organization in which every operation can be tried. */
export interface Setting {
  admin: Client;
  organization: string;
  /** One of its members, whom nothing changes. */
  member: NewUser;
}

export type Make<T = string> = (setting: Setting, caller: NewUser) => Promise<T>;

/** How to get the resource that a path parameter names; one of the two is enough. */
export interface Parameter {
  /** Any one: an operation may read it, and bodies may name it. */
  any?: Make;
  /** A new one in each call: an operation may change or delete it. */
  fresh?: Make;
}

/** What one operation needs besides the parameters of its path and the examples of its contract. */
export interface Particulars {
  /** Path parameters that only these resources fit. */
  use?: Record<string, Make>;
  query?: Make;
  /** Changes an example that cannot be sent as it is. */
  body?: (example: Record<string, unknown>, setting: Setting, caller: NewUser) => Promise<unknown>;
}

/** What the tests make to try the operations of a service. */
export interface Resources {
  parameters: Record<string, Parameter>;
  particulars: Record<string, Particulars>;
}

/** Makes it once for each organization. */
export const once = <T>(make: Make<T>): Make<T> => {
  const made = new Map<string, Promise<T>>();
  return (setting, caller) => {
    const known = made.get(setting.organization) ?? make(setting, caller);
    made.set(setting.organization, known);
    return known;
  };
};

/** The body of a successful answer. */
export async function done(answer: Promise<{ status: number; body: any }>): Promise<any> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

export const idOf = async (answer: Promise<{ status: number; body: any }>): Promise<string> => (await done(answer)).id;

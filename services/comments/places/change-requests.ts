import type { Call } from '../../../shared/contract/service.js';
import { findChangeRequest } from '../../content/contract.js';

interface InRequest {
  space: string;
  changeRequest?: string | undefined;
}

export interface NamedRequest {
  number: number;
  subject: string;
}

/** The change requests that things are about, by their ids; without those that are gone. */
export async function findRequestsOf(
  call: Call,
  items: readonly InRequest[],
): Promise<ReadonlyMap<string, NamedRequest>> {
  const asked = new Map(items.flatMap(({ changeRequest, space }) => (changeRequest ? [[changeRequest, space]] : [])));
  const found = await Promise.all(
    [...asked].map(async ([changeRequest, space]) => {
      const request = await call(findChangeRequest, { space: String(space), changeRequest });
      // A process of the release before does not say how it is called.
      const { number, subject = '' } = request ?? {};
      return number === undefined ? [] : [[changeRequest, { number, subject }] as const];
    }),
  );
  return new Map(found.flat());
}

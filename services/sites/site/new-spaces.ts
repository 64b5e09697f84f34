import type { Call } from '../../../shared/contract/service.js';
import { contentContract } from '../../content/contract.js';

/** Makes spaces and shows them on a site. Where that fails, those that `act` said it made go to the trash: nobody asked for them without the site. */
export async function withNewSpaces<T>(call: Call, act: (onMade: (space: string) => void) => Promise<T>): Promise<T> {
  const made: string[] = [];
  try {
    return await act((space) => made.push(space));
  } catch (error) {
    for (const spaceId of made) await call(contentContract.deleteSpaceById, { path: { spaceId } });
    throw error;
  }
}

import { failureOf } from '../../../shared/errors/errors.js';

/** The answer, or `none` where it is not for the person who asks, or there is nothing. */
export const unlessRefused = <T, N>(asked: Promise<T>, none: N): Promise<T | N> =>
  asked.catch((error) => {
    const { status } = failureOf(error);
    if (status === 403 || status === 404) return none;
    throw error;
  });

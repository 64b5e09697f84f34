import { failureOf } from '../../../shared/errors/errors.js';
import type { FormFields } from './form-fields.js';
import type { ScreenRequest } from './screen.js';

/** The fields of the form for an action as they were sent, where that was refused. */
export const fieldsSentBy = ({ refused }: Pick<ScreenRequest, 'refused'>, action: string): FormFields | undefined =>
  refused?.fields.raw('action') === action ? refused.fields : undefined;

/** The answer, or `none` where it is not for the person who asks, or there is nothing. */
export const unlessRefused = <T, N>(asked: Promise<T>, none: N): Promise<T | N> =>
  asked.catch((error) => {
    const { status } = failureOf(error);
    if (status === 403 || status === 404) return none;
    throw error;
  });

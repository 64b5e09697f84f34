import { apiError, markLasting } from '../../../../shared/errors/errors.js';

/** Why something cannot be imported, for a person: 422. Another attempt would end the same way. */
export const refusal = (message: string): Error => markLasting(apiError('UNPROCESSABLE', message));

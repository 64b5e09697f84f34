import type { Caller } from '../../../shared/contract/caller.js';
import type { Write } from '../../../shared/store/port.js';
import type { IntegrationDocument } from './model.js';

/**
 * The condition under which a caller administers everything that an integration covers in the organization that owns it, for the batch of what the
 * caller does with that; undefined where it does not.
 */
export type Administering = (
  caller: Caller,
  integration: Pick<IntegrationDocument, 'organization' | 'publication' | 'scopes'>,
) => Promise<Write | undefined>;

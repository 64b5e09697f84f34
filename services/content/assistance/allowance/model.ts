import { collection } from '../../../../shared/store/port.js';

/** Counts what was used of the model: the tokens of an organization in a day, or the questions of an asker in an hour. */
export interface ModelUseDocument {
  _id: string;
  organization: string;
  used: number;
  expiresAt: string;
}

export const modelUses = collection<ModelUseDocument>('content_model_uses', [{ on: { expiresAt: 1 } }]);

import { collection } from '../../../../shared/store/port.js';

/** An answer of the model, to be used again for an equal input. */
export interface ModelMemoryDocument {
  _id: string;
  organization: string;
  text: string;
  expiresAt: string;
}

export const modelMemory = collection<ModelMemoryDocument>('content_model_memory', [{ on: { expiresAt: 1 } }]);

import { collection } from '../../../shared/store/port.js';

/** A notification for a renderer that is not delivered yet: what carries this tag is out of date. */
export interface PendingTag {
  _id: string;
  /** The base URL of the renderer. */
  renderer: string;
  tag: string;
}

export const pendingTags = collection<PendingTag>('sites_pending_tags', [{ on: { renderer: 1 } }]);

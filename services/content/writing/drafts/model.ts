import { collection, type Index } from '../../../../shared/store/port.js';

/** A draft without its text. */
export interface DraftDocument {
  /** `<user>:<change request, else space>:<page>`. */
  _id: string;
  organization: string;
  space: string;
  /** The id of a user. */
  user: string;
  changeRequest?: string;
  /** The id of a page, or `new:<name>`. */
  page: string;
  /** The bytes of the text. */
  bytes: number;
  revision: string;
  into?: string;
  version: string;
  updatedAt: string;
}

export interface DraftTextDocument extends DraftDocument {
  markdown: string;
}

const indexes: Index<DraftDocument>[] = [{ on: { organization: 1, user: 1 } }, { on: { space: 1 } }];

/** Drafts of one person in an organization. */
export const maxDrafts = 100;

/** Drafts to be listed and counted: reading the texts for that would take long. */
export const drafts = collection<DraftDocument>('content_drafts', [...indexes, { on: { updatedAt: 1 } }]);

/** The same drafts with their texts, each written in one batch with the other. */
export const draftTexts = collection<DraftTextDocument>('content_draft_texts', indexes as Index<DraftTextDocument>[]);

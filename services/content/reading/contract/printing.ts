import { z } from 'zod';
import type { ContentCaller } from '../../../../shared/contract/caller.js';
import type { Encoded } from '../../../../shared/contract/encoded.js';
import { urlSchema } from '../../../../shared/contract/fields.js';
import { operation } from '../../../../shared/contract/operation.js';
import { question } from '../../../../shared/contract/verb.js';
import type { ListedGroup } from '../../../../shared/values/listed-pages.js';
import { onSpace } from '../../core/contract/access-rules.js';

const pdf = {
  method: 'GET',
  description:
    'A temporary address, which needs no token and is valid for an hour; it answers with the PDF, and with 503 and `Retry-After` while it is being made. ' +
    'It shows what a visitor without claims sees, and ends for a user who may not view the space any more. 412 where `PDF_BROWSER` names no browser that makes PDFs.',
  access: onSpace('view'),
  query: z.object({
    page: z.string().max(256).optional().meta({
      description: 'The id of a page: only this page and those below it. Default: all pages.',
    }),
    only: z.boolean().default(false).meta({ description: 'Only the `page`, without those below it.' }),
  }),
  status: 200,
  response: z.object({
    url: urlSchema.meta({ description: 'Answers with the PDF, for an hour.' }),
  }),
} as const;

export const printingOperations = {
  getSpacePDF: operation({
    ...pdf,
    path: '/spaces/{spaceId}/pdf',
    summary: 'Get a URL of the content of a space as PDF',
    tag: 'Content',
  }),
  getChangeRequestPDF: operation({
    ...pdf,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/pdf',
    summary: 'Get a URL of the content of a change request as PDF',
    tag: 'Change requests',
  }),
};

/** Pages to be printed, in their order. */
export interface Printing {
  /** Reads them. */
  visitor: ContentCaller;
  /** The title of the space. */
  title: string;
  /** The language of the space, where one is set. */
  language?: string;
  /** With the groups that begin with each. */
  pages: { path: string; depth: number; groups: ListedGroup[] }[];
  /** The page with which they begin is alone, or has all others below it. */
  isPart: boolean;
}

/** For the reader: what the address of `getSpacePDF` with this token shows. Null where it is not valid any more. */
export const openPrinting = question<{ token: string }, Encoded<Printing | null>>('content', 'openPrinting');

export interface ReadFiles {
  /** Signed, with a leading slash. */
  paths: string[];
  /** Bytes of all together: those that do not fit are left out. */
  maxBytes: number;
}

/** The content of a file, in base64. */
export interface FileContent {
  contentType: string;
  base64: string;
}

/** For the reader: files by their signed paths, in the order of the question; null for what is no valid path, is gone, or does not fit. */
export const readFiles = question<ReadFiles, Encoded<(FileContent | null)[]>>('content', 'readFiles');

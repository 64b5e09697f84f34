import type { Encoded } from '../../shared/contract/encoded.js';
import { defineContract } from '../../shared/contract/operation.js';
import { question } from '../../shared/contract/verb.js';
import type { WebAnswer } from '../../shared/http/web-answer.js';

/** The reader has no operations of the API: people come by the gateway. */
export const readerContract = defineContract('reader', {});

/** For the app: bodies of pages, as sites show them. */
export { fillMarks } from './marks/fill-marks.js';
export { wordsOf as bodyWordsOf } from './words/languages.js';
export { type LanguageAttributes, languageAttributes } from './words/locales.js';

/** A request for a page of a site, as the gateway got it. */
export interface ReaderRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS';
  /** Absolute, as the browser of the visitor has it. */
  url: string;
  /** The same at the address of the server, where the browser has another name of it. */
  known?: string;
  /** The headers among `readerHeaders` that the request has. */
  headers: Record<string, string>;
  /** The body of a `POST`. */
  body?: string;
  /** The IP address of the visitor. */
  address: string;
}

/** The headers of a request that the reader looks at. */
export const readerHeaders = [
  'accept',
  'accept-language',
  'content-type',
  'cookie',
  'dnt',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'referer',
  'sec-fetch-site',
  'sec-gpc',
  'user-agent',
];

/** The most bytes of a body that the reader takes. */
export const maxReaderBody = 64 * 1024;

export interface ReaderAnswer extends WebAnswer {
  /** No site is shown at this host. */
  unknownHost?: true;
}

/** Encoded where it is long. */
export const readSite = question<ReaderRequest, ReaderAnswer | Encoded<ReaderAnswer>>('reader', 'readSite');

import { apiError } from '../errors/errors.js';
import { scaleMs } from '../settings/time-scale.js';
import { FairTurns } from '../work/fair-turns.js';
import { type Browser, startBrowser } from './browser.js';
import type { DevTools } from './devtools.js';

export interface PdfMaker {
  /**
   * Makes a PDF of an HTML document that needs nothing else, one at a time in this process; owners take turns. `html` is made when it is its turn.
   * Throws 503 when too many wait and when it takes too long, 422 when it needs too much memory or is too large.
   */
  make(owner: string, html: () => Promise<string>): Promise<Buffer>;
  /** Ends what is being made. */
  close(): void;
}

export interface PdfMakerOptions {
  /** The path of a Chromium. */
  browser: string;
  /** Milliseconds for one document. */
  timeoutMs?: number;
  /** Bytes of one PDF. */
  maxBytes?: number;
}

const defaultTimeoutMs = scaleMs(60_000);
const defaultMaxBytes = 48 * 1024 * 1024;
/** Documents of one owner that wait. */
const maxWaiting = 10;
/** Bytes of a PDF that are read at a time. */
const pieceBytes = 1024 * 1024;

/** Nothing that the document names is loaded, from wherever: what it shows is in it. */
export const documentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'";

const tooMuch = () => apiError('UNPROCESSABLE', 'The document is too large for a PDF', 'too_complex');

export function createPdfMaker({
  browser,
  timeoutMs = defaultTimeoutMs,
  maxBytes = defaultMaxBytes,
}: PdfMakerOptions): PdfMaker {
  const busy = 'Too many PDFs are being made; try again later';
  const turns = new FairTurns({ max: 1, maxOfOwner: 1, waiting: maxWaiting, busy });
  const closing = new AbortController();
  const tooLate = apiError('UNAVAILABLE', 'The PDF takes longer than is allowed', 'took_too_long');

  async function print(html: string): Promise<Buffer> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooLate), timeoutMs);
    const signal = AbortSignal.any([late.signal, closing.signal]);
    try {
      return await printWith(await startBrowser(browser, signal), { html, maxBytes, signal });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    make: (owner, html) => turns.run(owner, async () => print(await html()), closing.signal),
    close: () => closing.abort(apiError('UNAVAILABLE', 'The server is stopping')),
  };
}

interface Printing {
  html: string;
  maxBytes: number;
  signal: AbortSignal;
}

async function printWith({ tools, close }: Browser, { html, maxBytes, signal }: Printing): Promise<Buffer> {
  try {
    return await printDocument(tools, html, maxBytes);
  } catch (error) {
    // A browser that was stopped says only that it has ended.
    signal.throwIfAborted();
    throw Object.assign(tooMuch(), { cause: error });
  } finally {
    await close();
  }
}

async function printDocument(tools: DevTools, html: string, maxBytes: number): Promise<Buffer> {
  const { targetId } = await tools.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await tools.send('Target.attachToTarget', { targetId, flatten: true });
  tools.session = String(sessionId);
  await tools.send('Emulation.setScriptExecutionDisabled', { value: true });
  await tools.send('Page.enable');
  const { frameTree } = (await tools.send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } };
  const loaded = tools.next('Page.loadEventFired');
  // An empty page may load no file of this machine, as one that is a file itself may.
  await tools.send('Page.setDocumentContent', { frameId: frameTree.frame.id }, { longName: 'html', text: html });
  await loaded;
  const { stream } = await tools.send('Page.printToPDF', {
    transferMode: 'ReturnAsStream',
    printBackground: true,
    preferCSSPageSize: true,
    generateDocumentOutline: true,
    generateTaggedPDF: true,
  });
  return readStream(tools, String(stream), maxBytes);
}

async function readStream(tools: DevTools, handle: string, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { data, base64Encoded, eof } = await tools.send('IO.read', { handle, size: pieceBytes });
    const piece = Buffer.from(String(data), base64Encoded ? 'base64' : 'utf8');
    size += piece.length;
    if (size > maxBytes) throw tooMuch();
    pieces.push(piece);
    if (eof) return Buffer.concat(pieces);
  }
}

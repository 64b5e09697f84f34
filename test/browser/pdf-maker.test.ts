import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPdfMaker, documentPolicy, type PdfMakerOptions } from '../../shared/pdf/pdf-maker.js';
import { eventually } from '../../shared/testing/eventually.js';

const browser = process.env.PDF_BROWSER ?? '/usr/bin/chromium';

const documentOf = (body: string, policy = documentPolicy) =>
  `<!doctype html><html lang="de"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">` +
  `<title>Title</title><style>@page{size:A4}</style></head><body>${body}</body></html>`;

/** The PDF of a body, as text: its streams are compressed, what it is made of is not. */
async function pdfOf(html: string, options: Partial<PdfMakerOptions> = {}): Promise<string> {
  const maker = createPdfMaker({ browser, ...options });
  const bytes = await maker.make('one', async () => html).finally(() => maker.close());
  return bytes.toString('latin1');
}

const countOf = (pdf: string, pattern: RegExp) => [...pdf.matchAll(pattern)].length;
const pagesOf = (pdf: string) => countOf(pdf, /\/Type \/Page\b(?!s)/g);

interface Process {
  pid: string;
  parent: string;
  line: string;
}

function allProcesses(): Map<string, Process> {
  const lines = execFileSync('ps', ['-eo', 'pid,ppid,stat,args'], { encoding: 'utf8' }).split('\n').slice(1);
  return new Map(
    lines.flatMap((line): [string, Process][] => {
      const [, pid, parent] = /^\s*(\d+)\s+(\d+)/.exec(line) ?? [];
      return pid && parent ? [[pid, { pid, parent, line }]] : [];
    }),
  );
}

/** Processes that have to do with a folder of ours: not those of servers that other tests run. */
function running(): Process[] {
  const all = allProcesses();
  const isOfServer = ({ parent }: Process): boolean => {
    const above = all.get(parent);
    return above !== undefined && (above.line.includes('services/main.js') || isOfServer(above));
  };
  return [...all.values()].filter(
    (each) => each.line.includes('bindery-pdf-') && !/^\s*\d+\s+\d+\s+Z/.test(each.line) && !isOfServer(each),
  );
}

const gone = () => eventually('the end of all browsers', () => running().length === 0);

const red = 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC';

it('a document becomes tagged pages of A4 in its language, with an outline, and links within it', async () => {
  const pdf = await pdfOf(
    documentOf(
      '<h1 id="a">One</h1><p><a href="#b">to two</a> <a href="https://example.com/x">out</a></p><h2 id="b">Two</h2>',
    ),
  );
  expect(pdf.startsWith('%PDF-')).toBe(true);
  expect(pagesOf(pdf)).toBe(1);
  expect(pdf).toMatch(/\/MediaBox \[0 0 59[45]\.?\d* 84[12]\.?\d*\]/);
  expect(pdf).toContain('/Lang (de)');
  expect(pdf).toContain('/MarkInfo');
  expect(pdf).toContain('/Outlines');
  expect(pdf).toContain('/Dest /b');
  expect(pdf).toContain('/URI (https://example.com/x)');
});

it('nothing is loaded that is not in the document, whatever policy it has', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  const addresses = ['file:///etc/passwd', 'file:///etc/', `http://127.0.0.1:${port}/a`, `http://localhost:${port}/a`];
  const hostile = addresses.map(
    (url) =>
      `<img src="${url}"><iframe src="${url}" width="600" height="600"></iframe><link rel="stylesheet" href="${url}"><object data="${url}"></object>` +
      `<embed src="${url}"><style>@import url(${url});p{background:url(${url})}</style>`,
  );
  const script = `<script>document.body.innerHTML='<h1 id="ran">ran</h1><a href="#ran">ran</a>'</script>`;
  const body = `<p>Text</p><img src="data:image/png;base64,${red}">${hostile.join('')}${script}`;
  const plain = await pdfOf(documentOf('<p>Text</p>'));
  for (const policy of [documentPolicy, "default-src * data: file: 'unsafe-inline'"]) {
    const pdf = await pdfOf(documentOf(body, policy));
    expect(pdf).toMatch(/\/Subtype \/Image\s+\/Width 10\b/);
    // The text of a frame would have a font of its own.
    expect(pdf.match(/FontName [^ ]+/g)).toEqual(plain.match(/FontName [^ ]+/g));
    expect(pdf).not.toMatch(/\/Dest \/ran/);
  }
  expect(asked).toEqual([]);
  server.close();
  await gone();
});

it('a document that takes too long ends with all of its processes, and then it is the turn of others', async () => {
  const endless = documentOf('<p>word </p>'.repeat(400_000));
  const maker = createPdfMaker({ browser, timeoutMs: 1500 });
  const began = maker.make('one', async () => endless);
  const isNext = new Promise<boolean>((next) => {
    maker
      .make('two', async () => {
        next(true);
        return documentOf('');
      })
      // It has no more time than the other: whether that is enough for an empty one depends on the machine.
      .catch(() => next(false));
  });
  await expect(began).rejects.toMatchObject({ type: 'UNAVAILABLE', message: 'The PDF takes longer than is allowed' });
  expect(await isNext).toBe(true);
  maker.close();
  await gone();
});

it('a PDF of more bytes than is allowed is refused, and others are made after it', async () => {
  const maker = createPdfMaker({ browser, maxBytes: 100_000 });
  const refused = maker.make('one', async () => documentOf('<p>word</p>'.repeat(1000)));
  const after = maker.make('two', async () => documentOf('<p>Text</p>'));
  await expect(refused).rejects.toMatchObject({ type: 'UNPROCESSABLE' });
  await expect(after).resolves.toBeInstanceOf(Buffer);
  maker.close();
  await gone();
});

it('documents are made one at a time; owners take turns, and those of one owner are refused when many wait', async () => {
  const maker = createPdfMaker({ browser });
  const order: string[] = [];
  const html = (name: string) => async () => {
    order.push(name);
    return documentOf(name);
  };
  const made = ['a1', 'a2', 'a3', 'b1'].map((name) => maker.make(name.slice(0, 1), html(name)));
  await Promise.all(made);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  const many = Array.from({ length: 12 }, (_, at) => maker.make('c', html(`c${at}`)));
  await expect(many.at(-1)).rejects.toMatchObject({ type: 'UNAVAILABLE', data: { reason: 'busy' } });
  maker.close();
  const ends = await Promise.allSettled(many);
  expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
  await gone();
});

it('a path that is no browser is named', async () => {
  await expect(pdfOf(documentOf(''), { browser: '/no/such/browser' })).rejects.toThrow(
    /PDF_BROWSER: \/no\/such\/browser does not start/,
  );
  await expect(pdfOf(documentOf(''), { browser: '/bin/true' })).rejects.toThrow(/PDF_BROWSER: \/bin\/true/);
});

import type { Call } from '../shared/contract/service.js';
import { requestReader } from '../shared/contract/validation.js';
import { badBodies } from '../test/support/bad-comment-bodies.js';
import { block, documentOf, link } from '../test/support/comment-documents.js';
import {
  dangersInMarkdown,
  hostileBodies,
  strangersIn,
  textIn,
  textsOfLanguages,
} from '../test/support/hostile-comment-bodies.js';
import { commentsContract } from './comments/contract.js';
import { prepareBody, renderBodies } from './comments/texts/texts.js';
import { readTexts } from './content/contract.js';
import { readTexts as readTextsHere } from './content/format/texts/read-text.js';
import type { SentBody } from './content/resources.js';

const read = requestReader(commentsContract.postCommentInSpace);
const [organization, space] = ['acme', 'docs'];

/** Texts are read here: workers run compiled modules. Nobody reads the space. */
const call = (async ({ action }: { action: string }, { texts }: { texts: never[] }) =>
  action === readTexts.action ? readTextsHere(texts) : []) as unknown as Call;

/** What is stored of a body that a client sends. */
async function stored(sent: unknown) {
  const { body } = read({ path: { spaceId: space }, query: {}, body: JSON.parse(JSON.stringify({ body: sent })) });
  return prepareBody(call, { organization, space, body: (body as { body: SentBody }).body });
}

async function shown(sent: unknown) {
  const items = [{ organization, ...(await stored(sent)) }];
  const [[inMarkdown], [asDocument]] = await Promise.all([
    renderBodies(call, items, 'markdown'),
    renderBodies(call, items, 'document'),
  ]);
  return { markdown: String(inMarkdown?.markdown), document: asDocument?.document };
}

describe('the body of a comment', () => {
  it.each(badBodies)('is refused: %s', async (_, body) => {
    await expect(stored(body)).rejects.toMatchObject({ type: 'INVALID', message: expect.stringMatching(/^body\b/) });
  });

  it('has at most 20,000 characters', async () => {
    for (const markdown of ['x'.repeat(20_000), '😀'.repeat(20_000)])
      expect(await shown({ markdown })).toMatchObject({ markdown });
  });
});

describe('what comes back', () => {
  it('has its dangers found by this test', () => {
    expect(dangersInMarkdown('<b onclick="a()">b</b> [c](javascript:d)')).toEqual([
      'b',
      'onclick=a()',
      'href=javascript:d',
    ]);
    const nodes = [block('html'), block('paragraph', [link('javascript:d')])];
    expect(strangersIn(documentOf(...nodes).document)).toEqual(['block html', 'javascript:d']);
  });

  it.each(hostileBodies)('runs nothing in either format: %j', async (_, body) => {
    const { markdown, document } = await shown(body);
    expect([dangersInMarkdown(markdown), strangersIn(document)]).toEqual([[], []]);
    for (const field of ['html', 'onclick']) expect(JSON.stringify(document)).not.toContain(`"${field}"`);
    const edited = await shown({ document });
    expect(dangersInMarkdown(edited.markdown)).toEqual([]);
    expect(textIn(edited.document)).toBe(textIn(document));
  });

  it.each(textsOfLanguages)('has the hidden characters that languages and emoji need: %j', async (markdown) => {
    expect(await shown({ markdown })).toMatchObject({ markdown });
  });
});

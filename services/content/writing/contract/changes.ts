import { z } from 'zod';
import { encodedAnswer } from '../../../../shared/contract/encoded.js';
import { exampleId } from '../../../../shared/contract/examples.js';
import { operation } from '../../../../shared/contract/operation.js';
import { changingContent } from '../../core/contract/access-rules.js';
import { changeRequestSchema, contentUpdateSchema } from '../../core/resources.js';
import { computedPages } from '../../openapi/contract/computed-sources.js';
import { revisionSchema } from '../../reading/resources.js';

/** A text in Markdown. The other form of the public API, a JSON document, is refused with 422. */
const markdownBody = (max: number) =>
  z.object({
    markdown: z
      .string()
      .max(max)
      .regex(/^[^\p{Cs}]*$/u, 'must be Unicode text')
      .optional(),
    document: z.unknown().optional().meta({ description: 'Not taken (422): send Markdown.' }),
  });

const pageId = z.string().min(1).max(100);
const ref = z
  .string()
  .min(1)
  .max(256)
  .regex(
    /^(?!\.{1,2}$)[^\p{C}\s/()[\]{}<>"'`#?&%|\\]+$/u,
    'must be a name without spaces, slashes, quotes and brackets',
  )
  .meta({ description: 'A name for this request alone: links and `into` name it as `./<ref>`.' });
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
/** A text of one line. */
const words = z
  .string()
  .overwrite(oneLine)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be text without control characters');
/** The id of a page, or `./<ref>`. */
const pageOrRef = z.string().min(1).max(258);
const position = z.number().int().min(0).optional().meta({ description: 'The position among its siblings, from 0.' });
const text = z.string().regex(/^[^\p{Cs}]*$/u, 'must be Unicode text');
const document = markdownBody(2_000_000);

/** The values of front matter take precedence over these. */
const metadata = {
  title: words.min(1).max(255).optional(),
  slug: words.max(100).optional().meta({ description: 'Unique among siblings. Empty: made from the title.' }),
  emoji: words.max(50).optional().meta({ description: 'An emoji, or its code point. Empty: none.' }),
  icon: words.max(50).optional().meta({ description: 'Empty: none.' }),
  description: text.max(2000).optional().meta({ description: 'Empty: none.' }),
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
  condition: text.max(1024).optional().meta({ description: 'Who sees the page. Empty: everybody.' }),
};

const insertPage = z.object({
  operation: z.literal('insert_page'),
  document: document.optional().meta({ description: 'Required, unless the page is `computed`.' }),
  computed: computedPages.optional().meta({
    description:
      'In place of a document: the pages of an OpenAPI specification, which follow its versions. Such a page has a title and a slug only.',
  }),
  into: pageOrRef
    .optional()
    .meta({ description: 'The page above, by its id or as `./<ref>` of a change before this one; default: none.' }),
  at: position,
  ref: ref.optional(),
  ...metadata,
});

const updatePage = z.object({
  operation: z.literal('update_page'),
  page: pageId,
  document: document
    .extend({
      exact: z.boolean().optional().meta({
        description:
          'True: the source is stored as it is sent. Without front matter it removes that of the page, and links that the page had before, or that lead nowhere, stay as they are written. Default: false.',
      }),
    })
    .optional()
    .meta({ description: 'Replaces the source of the page. Without front matter, it keeps that of the page.' }),
  into: pageOrRef
    .nullable()
    .optional()
    .meta({ description: 'Moves the page below another (an id or `./<ref>`), or (null) to the top.' }),
  at: position,
  ...metadata,
});

const deletePage = z.object({ operation: z.literal('delete_page'), page: pageId });

const revertPage = z.object({
  operation: z.literal('revert_page'),
  page: pageId,
  revision: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Default: the content that this one is based on.' }),
  block: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'Only these blocks, by their keys.' }),
});

export const fileNameSchema = z
  .string()
  .min(1)
  .max(256)
  .regex(/^(?!\.{1,2}$)[^\p{Cc}\p{Cs}/\\]*$/u, 'must be a file name without slashes and control characters');

const insertedFile = z.object({
  name: fileNameSchema,
  url: z.string().min(1).max(2048).optional().meta({ description: 'Where to fetch it.' }),
  base64: z
    .string()
    .max(13_400_000)
    .optional()
    .meta({ description: 'Its content, at most 10 MB; needs `contentType`.' }),
  contentType: z
    .string()
    .max(255)
    .regex(/^[\w.+-]+\/[\w.+-]+(?: ?;[ -~]*)?$/, 'must be a media type, such as image/png')
    .optional(),
  ref: ref.optional(),
});

const insertFiles = z.object({ operation: z.literal('insert_files'), files: z.array(insertedFile).min(1).max(20) });

const changesBody = z.object({
  changes: z
    .array(z.discriminatedUnion('operation', [insertPage, updatePage, deletePage, revertPage, insertFiles]))
    .min(1)
    .max(50),
  revision: z.string().min(1).max(100).optional().meta({
    description: 'The revision that the writer saw: 409 when a page that the changes touch is different by now.',
  }),
});

const insertion = {
  changes: [
    { operation: 'insert_page' as const, title: 'Installing', document: { markdown: 'Run `make install`.\n' } },
  ],
};

const bodyLimit = 32 * 1024 * 1024;

export const changeOperations = {
  updateChangeRequestContent: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content',
    summary: 'Change the content of a change request',
    description:
      'Applies up to 50 changes in order, all or none, as one new revision. With `compat=false` the answer also lists what changed.',
    tag: 'Change requests',
    access: changingContent('edit'),
    query: z.object({
      compat: z.boolean().default(true).meta({ description: 'True: the answer is the change request alone.' }),
    }),
    body: changesBody.meta({
      examples: [
        insertion,
        {
          changes: [{ operation: 'update_page', page: exampleId('page'), description: 'Where it begins' }],
          revision: exampleId('revision'),
        },
      ],
    }),
    bodyLimit,
    status: 200,
    response: z.union([changeRequestSchema, contentUpdateSchema]),
  }),
  updateSpaceContent: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content',
    summary: 'Change the content of a space',
    description: 'As in a change request, at once for all readers. Only for spaces with `editMode: live`.',
    tag: 'Content',
    access: changingContent('edit'),
    body: changesBody.meta({ examples: [insertion] }),
    bodyLimit,
    status: 200,
    response: encodedAnswer(revisionSchema),
  }),
};

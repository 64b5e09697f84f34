import { z } from 'zod';
import { encodedAnswer } from '../../../../shared/contract/encoded.js';
import { operation } from '../../../../shared/contract/operation.js';
import { readingSpace } from '../../core/contract/access-rules.js';
import { fileSchema, pageSchema, reusableContentSchema } from '../../core/revisions/resources.js';
import { documentSchema } from '../../format/resources.js';
import { computedPages, computedSource, integrationSource } from '../../openapi/contract/computed-sources.js';

const exampleSource = {
  type: 'builtin:openapi' as const,
  dependencies: { spec: { ref: { kind: 'openapi' as const, spec: 'petstore' } } },
};

export const computedOperations = {
  getComputedDocument: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content/computed/document',
    summary: 'Compute a document',
    description:
      'The document of a page that is made from the latest version of an OpenAPI specification, or by an integration, as `computed` of the page names it. Visitors of a site compute what pages that they see are made from.',
    tag: 'Content',
    access: readingSpace,
    safe: true,
    body: z
      .object({
        source: z.union([
          computedSource(
            z.union([
              z.object({ doc: z.literal('models') }),
              z.object({ doc: z.enum(['operations', 'info']), page: z.string().min(1).max(100) }),
            ]),
          ),
          integrationSource,
        ]),
        seed: z
          .string()
          .max(256)
          .meta({ description: 'Without effect: the keys of blocks follow from their content.' }),
      })
      .meta({ examples: [{ source: { ...exampleSource, props: { doc: 'operations', page: 'pets' } }, seed: 'a' }] }),
    query: z.object({
      schema: z.enum(['current', 'next']).default('current').meta({ description: 'Accepted without effect.' }),
    }),
    status: 200,
    response: encodedAnswer(documentSchema),
  }),
  getComputedRevision: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content/computed/revision',
    summary: 'Compute pages',
    description:
      'The pages that are made from the latest version of an OpenAPI specification, or by an integration, as `computed` of a computed page names it. Visitors of a site compute what pages that they see are made from.',
    tag: 'Content',
    access: readingSpace,
    safe: true,
    body: z
      .object({
        source: z.union([computedPages, integrationSource]),
        seed: z.string().max(256).meta({ description: 'Equal seeds give pages equal ids.' }),
      })
      .meta({ examples: [{ source: { ...exampleSource, props: { models: true } }, seed: 'a' }] }),
    status: 200,
    response: z.object({
      pages: z.array(pageSchema),
      files: z.array(fileSchema),
      reusableContents: z.array(reusableContentSchema),
    }),
  }),
};

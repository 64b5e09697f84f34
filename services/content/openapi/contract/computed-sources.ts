import { z } from 'zod';

const specRefSchema = z.object({
  kind: z.literal('openapi'),
  spec: z.string().min(1).max(100).meta({ description: 'The slug of the specification.' }),
});

/** A source computed from a specification of OpenAPI; the state of its dependency when it was read is not required. */
export const computedSource = <P extends z.ZodType>(props: P) =>
  z.object({
    type: z.literal('builtin:openapi'),
    props,
    dependencies: z.object({ spec: z.object({ ref: specRefSchema }) }),
  });

/** A source computed by the script of an integration: `integration:<name>:<source>` names its content source `source`. */
export const integrationSource = z.object({
  type: z
    .string()
    .max(300)
    .regex(
      /^integration:[^:]+:[^:]+$/,
      // Otherwise the union with other sources has problems with this one alone.
      { error: 'must be `integration:<name>:<content source>`', abort: true },
    ) as unknown as z.ZodType<`integration:${string}`>,
  props: z.record(z.string(), z.unknown()).default({}),
  dependencies: z.record(z.string(), z.looseObject({ ref: z.looseObject({ kind: z.string() }) })).default({}),
});

/** The pages of a specification. */
export const computedPages = computedSource(
  z.object({
    models: z.boolean().default(false).meta({ description: 'With a page that shows the schemas.' }),
    grouping: z
      .enum(['by-tag', 'by-operation'])
      .optional()
      .meta({ description: '`by-operation`: each operation has a page of its own below that of its tag.' }),
  }),
);

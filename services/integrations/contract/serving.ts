import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { operation } from '../../../shared/contract/operation.js';
import { renderOutputSchema, renderRequestSchema } from '../resources.js';
import { everybody, integration, onIntegration } from './access-rules.js';

const tag = 'Integrations';
const access = onIntegration('view', everybody);
const description =
  'Sends the integration the event `ui_render`. The caller must be able to view the space of a document (with `editable`: to edit it), and to install integrations where the context is a configuration. The integration must be installed there. The answer has the `Cache-Control` of the script.';

export const renderOperations = {
  renderIntegrationUIWithGet: operation({
    method: 'GET',
    path: `${integration}/render`,
    summary: 'Render a component of an integration, for caches',
    description,
    tag,
    access,
    query: z.object({
      request: z
        .string()
        .min(1)
        .max(4096)
        .meta({ description: 'The body of the POST form, as JSON compressed by LZ-string for URLs.' }),
    }),
    status: 200,
    response: renderOutputSchema,
  }),
  renderIntegrationUIWithPost: operation({
    method: 'POST',
    path: `${integration}/render`,
    summary: 'Render a component of an integration',
    description,
    tag,
    access,
    body: renderRequestSchema.meta({
      examples: [
        {
          componentId: 'hello',
          props: {},
          context: { type: 'document', spaceId: exampleId('space'), editable: false, theme: 'light' },
        },
      ],
    }),
    bodyLimit: 262_144,
    status: 200,
    response: renderOutputSchema,
  }),
};

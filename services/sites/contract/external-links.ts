import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { webUrlSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { conditionSchema, iconSchema, localizedSchema, siteExternalLinkSchema } from '../resources.js';
import { onSite, site } from './access-rules.js';

const tag = 'Site external links';
const title = z.string().min(2).max(128);
const group = z.string().min(1).max(100).meta({ description: 'A section group of the site.' });

/** Fields that a link may lack. */
const optional = {
  localizedTitle: localizedSchema(128).nullable().optional(),
  description: z.string().max(256).nullable().optional(),
  localizedDescription: localizedSchema(256).nullable().optional(),
  icon: iconSchema.nullable().optional(),
  draft: z.boolean().optional().meta({ description: 'Hides it from visitors.' }),
  condition: conditionSchema.nullable().optional(),
};

export const externalLinkOperations = {
  addExternalLinkToSite: operation({
    method: 'POST',
    path: `${site}/external-links`,
    summary: 'Add an external link to a site',
    description:
      'At the end of a section group or of the top level. 400 on a site without sections. A site has at most 100.',
    tag,
    access: onSite('admin'),
    body: z.object({ title, url: webUrlSchema, parent: group.optional(), ...optional }).meta({
      examples: [
        {
          title: 'Status',
          localizedTitle: { de: 'Zustand' },
          description: 'All systems, now and in the last weeks.',
          icon: 'signal',
          url: 'https://status.example.com/',
          draft: true,
          condition: 'visitor.claims.beta == true',
        },
      ],
    }),
    status: 201,
    response: siteExternalLinkSchema,
  }),
  updateSiteExternalLinkById: operation({
    method: 'PATCH',
    path: `${site}/external-links/{siteExternalLinkId}`,
    summary: 'Update an external link',
    tag,
    access: onSite('admin'),
    body: z
      .object({
        title: title.optional(),
        url: webUrlSchema.optional(),
        parent: group
          .nullable()
          .optional()
          .meta({ description: 'Moves it to the end of a section group, `null` to that of the top level.' }),
        ...optional,
      })
      .meta({
        examples: [
          { title: 'System status', url: 'https://status.example.com/now', parent: exampleId('siteSectionGroup') },
          { draft: false, condition: null, parent: null },
        ],
      }),
    status: 200,
    response: siteExternalLinkSchema,
  }),
  deleteSiteExternalLinkById: operation({
    method: 'DELETE',
    path: `${site}/external-links/{siteExternalLinkId}`,
    summary: 'Delete an external link',
    tag,
    access: onSite('admin'),
    status: 205,
  }),
};

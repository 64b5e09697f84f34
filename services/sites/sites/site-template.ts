import type { Call, Context } from '../../../shared/contract/service.js';
import { conflict } from '../../../shared/errors/errors.js';
import { type HasStore, write } from '../../../shared/store/port.js';
import { newId } from '../../../shared/values/ids.js';
import { contentContract, type spaceTemplates } from '../../content/contract.js';
import { type SiteDocument, siteOf } from '../site/model.js';
import { withNewSpaces } from '../site/new-spaces.js';
import { sections, siteSpaces } from '../structure/model.js';
import { slugOf } from '../structure/paths.js';
import { addSection } from '../structure/rules.js';
import type { HasStructures } from '../structure/structures.js';

interface TemplateSection {
  title: string;
  icon: string;
  /** The template that fills its space. */
  template: (typeof spaceTemplates)[number];
}

/** The sections of a site that is made of the template. */
const templateSections: TemplateSection[] = [
  { title: 'Documentation', icon: 'book-open', template: 'documentation' },
  { title: 'API reference', icon: 'code', template: 'api-reference' },
  { title: 'Help center', icon: 'life-ring', template: 'knowledge-base' },
  { title: 'Changelog', icon: 'sparkles', template: 'changelog' },
];

type Section = TemplateSection & { space: string };

/** Fills a site that shows nothing with sections, each with a space of its own. Throws 409 for a site that shows something. */
export async function applySiteTemplate(
  deps: HasStore & HasStructures,
  { organization, id }: { organization: string; id: string },
  context: Pick<Context, 'call' | 'audit'>,
): Promise<void> {
  checkEmpty(await siteOf(deps.store, id));
  const { call } = context;
  await withNewSpaces(call, async (onMade) => {
    const made: Section[] = [];
    for (const section of templateSections) {
      const space = await newSpace(call, organization, section);
      onMade(space);
      made.push({ ...section, space });
    }
    await addSections(deps, { id, made }, context);
  });
}

function checkEmpty({ siteSpaces }: Pick<SiteDocument, 'siteSpaces'>): void {
  if (siteSpaces > 0)
    throw conflict('The site shows spaces already: the template fills only what is empty', 'wrong_state');
}

async function newSpace(call: Call, organizationId: string, { title, template }: TemplateSection): Promise<string> {
  const body = { title, template: { id: template } };
  return (await call(contentContract.createSpace, { path: { organizationId }, body })).id;
}

const addSections = (
  { structures }: HasStructures,
  { id: site, made }: { id: string; made: Section[] },
  { audit }: Pick<Context, 'audit'>,
) =>
  structures.change(site, ({ structure, site: current }) => {
    checkEmpty(current);
    const writes = made.flatMap(({ title, icon, template, space }) => {
      const [id, siteSpace] = [newId(), newId()];
      const added = { id, slug: slugOf(title, template), siteSpace: { id: siteSpace, space, path: template } };
      addSection(structure, added, { id: newId(), slug: 'section' });
      return [
        write.insert(sections, { _id: id, site, title, icon }),
        write.insert(siteSpaces, { _id: siteSpace, site }),
      ];
    });
    return { writes, record: audit('site', site, { details: { spaces: made.map(({ space }) => space) } }) };
  });

import type { Call } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import { fontDefinitions } from '../../content/contract.js';
import type { HasConfig } from '../site/urls.js';
import { type Customization, defaultCustomization } from './resources.js';

type Styling = Partial<Pick<Customization['styling'], 'font' | 'monospaceFont'>>;
type Definition = Extract<Customization['styling']['font'], object>;

const fields = ['font', 'monospaceFont'] as const;

interface Asked {
  call: Call;
  organization: string;
}

/** The fonts of the organization that stylings name, by id, as they are now. */
async function fontsOf({ call, organization }: Asked, stylings: Styling[]) {
  const named = stylings.flatMap((styling) => fields.flatMap((field) => customFontOf(styling, field) ?? []));
  if (named.length === 0) return new Map<string, never>();
  const found = await call(fontDefinitions, { organization, ids: [...new Set(named.map(({ id }) => id))] });
  return new Map(found.map((font) => [font.id, font]));
}

function customFontOf(styling: Styling, field: (typeof fields)[number]): Definition | undefined {
  const font = styling[field];
  return typeof font === 'object' && font.custom ? font : undefined;
}

/** Whether the files of a font are on this server: those of a font of an organization, which may be gone. */
const isOwn = ({ config: { baseUrl } }: HasConfig, { fontFaces }: Definition): boolean =>
  fontFaces.every(({ sources }) => sources.every(({ url }) => url.startsWith(`${baseUrl}/~files/`)));

/** Customizations with the fonts of the organization as they are now; where one is gone, with the default font. */
export async function withPresentFonts<C extends Customization>(
  deps: HasConfig,
  asked: Asked,
  customizations: C[],
): Promise<C[]> {
  const fonts = await fontsOf(
    asked,
    customizations.map(({ styling }) => styling),
  );
  return customizations.map((customization) => {
    const changed = fields.flatMap((field) => {
      const font = customFontOf(customization.styling, field);
      if (!font) return [];
      const present = fonts.get(font.id) ?? (isOwn(deps, font) ? defaultCustomization.styling[field] : font);
      return [[field, present] as const];
    });
    if (changed.length === 0) return customization;
    return { ...customization, styling: { ...customization.styling, ...Object.fromEntries(changed) } };
  });
}

/** Throws 400 for a font of this server that the organization does not have. */
export async function checkFonts(deps: HasConfig, asked: Asked, styling: Styling): Promise<void> {
  const fonts = await fontsOf(asked, [styling]);
  for (const field of fields) {
    const font = customFontOf(styling, field);
    if (font && !fonts.has(font.id) && isOwn(deps, font))
      throw invalid(`styling.${field}.id: no such font in this organization`);
  }
}

import { isDeepStrictEqual } from 'node:util';
import { outlineOf } from '../space/outline/outline.js';
import { below } from '../space/paths.js';
import { withRedirects } from '../space/settings/redirect-edits.js';
import { configFileOf, type SettingFiles, settingFilesOf } from '../space/settings/setting-files.js';
import { parseSpaceConfig, parseVariables, type SpaceConfig } from '../space/settings/space-config.js';
import { withVariables } from '../space/settings/variable-edits.js';
import { type ListedPage, listsPages } from '../space/summary/listed-pages.js';
import { editSummary } from '../space/summary-edits/summary-edits.js';

/** The settings of a space to write to a repository. */
export interface ExportedSettings {
  /** The folder of `.gitbook.yaml`. */
  directory: string;
  /** The settings as they are, by path. */
  texts: ReadonlyMap<string, string>;
  pages: ListedPage[];
  /** The paths of all pages and reusable content. */
  own: string[];
  /** All files of the repository as it is to be, and as it was when the settings were written. */
  files: string[];
  formerFiles: string[];
  variables: Record<string, unknown>;
}

/** The settings that differ from what they were, by path; each with as few changes as possible. */
export function exportedSettings(settings: ExportedSettings): Map<string, string> {
  const { directory, texts, pages, variables } = settings;
  const paths = new Set(texts.keys());
  const configPath = configFileOf(paths, directory);
  const configText = configPath === undefined ? undefined : texts.get(configPath);
  const config = parseSpaceConfig(configText);
  const files = settingFilesOf(paths, directory, config);
  const made = new Map<string, string>();
  const note = (path: string, text: string | undefined) => {
    if (text !== undefined && text !== texts.get(path)) made.set(path, text);
  };
  if (!isDerived(settings, files.summary)) note(files.summary, summaryText(settings, files, config));
  if (configPath !== undefined && configText !== undefined)
    note(configPath, withRedirects(configText, { root: files.root, renamed: renamedIn(pages) }));
  const known = parseVariables(texts.get(files.variables)).variables;
  if (!isDeepStrictEqual(known, variables)) note(files.variables, withVariables(texts.get(files.variables), variables));
  return made;
}

function summaryText(
  { texts, pages, files, formerFiles }: ExportedSettings,
  { root, summary }: SettingFiles,
  { readme }: SpaceConfig,
): string {
  const titles = new Map<string, string>();
  const formerTitles = new Map<string, string>();
  for (const { file, formerFile = file, title } of documentsIn(pages)) {
    titles.set(file, title);
    formerTitles.set(formerFile, title);
  }
  return editSummary(texts.get(summary), pages, {
    root,
    summary,
    files: new Set(files),
    titleOf: (path) => titles.get(path),
    home: below(root, readme),
    former: { files: new Set(formerFiles), titleOf: (path) => formerTitles.get(path) },
  });
}

/** Whether the space needs no table of contents: folders and files say the same. */
function isDerived({ directory, texts, pages, own }: ExportedSettings, summary: string): boolean {
  if (texts.has(summary)) return false;
  const titles = new Map([...documentsIn(pages)].map(({ file, title }) => [file, title]));
  const files = [...own, ...texts.keys()].map((path) => ({ path }));
  const outline = outlineOf(files, {
    projectDirectory: directory,
    readText: (path) => texts.get(path),
    titleOf: (path) => titles.get(path),
  });
  return listsPages(outline.pages, pages, new Map());
}

function* documentsIn(pages: ListedPage[]): Generator<ListedPage & { file: string }> {
  for (const page of pages) {
    if (page.file !== undefined) yield { ...page, file: page.file };
    yield* documentsIn(page.pages);
  }
}

function renamedIn(pages: ListedPage[]): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const { file, formerFile } of documentsIn(pages)) if (formerFile !== undefined) renamed.set(formerFile, file);
  return renamed;
}

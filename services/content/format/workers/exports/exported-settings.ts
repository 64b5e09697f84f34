import { isDeepStrictEqual } from 'node:util';
import { readOutline } from '../../space/outline/outline.js';
import { joinInside } from '../../space/paths.js';
import { renameRedirectTargets } from '../../space/settings/redirect-edits.js';
import { findConfigFile, type SettingFiles, settingFilesOf } from '../../space/settings/setting-files.js';
import { parseSpaceConfig, parseVariables, type SpaceConfig } from '../../space/settings/space-config.js';
import { editVariables } from '../../space/settings/variable-edits.js';
import { type ListedPage, listsPages } from '../../space/summary/listed-pages.js';
import { editSummary } from '../../space/summary-edits/summary-edits.js';

/** The settings of a space to write to a repository. */
export interface ExportedSettings {
  /** The folder of `.gitbook.yaml`. */
  directory: string;
  /** The settings as they are, by path. */
  texts: ReadonlyMap<string, string>;
  pages: ListedPage[];
  /** The paths of all pages and reusable content. */
  own: string[];
  /** All files of the repository as it is to be. */
  files: string[];
  /** The same when the settings were written, where that is known. */
  formerFiles?: string[];
  variables: Record<string, unknown>;
}

/** The settings that differ from what they were, by path; each with as few changes as possible. */
export function exportedSettings(settings: ExportedSettings): Map<string, string> {
  const { directory, texts, pages, variables } = settings;
  const paths = new Set(texts.keys());
  const configPath = findConfigFile(paths, directory);
  const configText = configPath === undefined ? undefined : texts.get(configPath);
  const config = parseSpaceConfig(configText);
  const files = settingFilesOf(paths, directory, config);
  const made = new Map<string, string>();
  const noteChange = (path: string, text: string | undefined) => {
    if (text !== undefined && text !== texts.get(path)) made.set(path, text);
  };
  if (!needsNoSummary(settings, files.summary)) noteChange(files.summary, writeSummary(settings, files, config));
  if (configPath !== undefined && configText !== undefined)
    noteChange(configPath, renameRedirectTargets(configText, { root: files.root, renamed: renamedFilesIn(pages) }));
  const known = parseVariables(texts.get(files.variables)).variables;
  if (!isDeepStrictEqual(known, variables))
    noteChange(files.variables, editVariables(texts.get(files.variables), variables));
  return made;
}

function writeSummary(
  { texts, pages, files, formerFiles }: ExportedSettings,
  { root, summary }: SettingFiles,
  { readme }: SpaceConfig,
): string {
  const titles = new Map<string, string>();
  const formerTitles = new Map<string, string>();
  for (const { file, formerFile = file, title } of documentPagesIn(pages)) {
    titles.set(file, title);
    formerTitles.set(formerFile, title);
  }
  return editSummary(texts.get(summary), pages, {
    root,
    summary,
    files: new Set(files),
    titleOf: (path) => titles.get(path),
    home: joinInside(root, readme),
    ...(formerFiles && { former: { files: new Set(formerFiles), titleOf: (path) => formerTitles.get(path) } }),
  });
}

/** Whether the space needs no table of contents: folders and files say the same. */
function needsNoSummary({ directory, texts, pages, own }: ExportedSettings, summary: string): boolean {
  if (texts.has(summary)) return false;
  const titles = new Map([...documentPagesIn(pages)].map(({ file, title }) => [file, title]));
  const files = [...own, ...texts.keys()].map((path) => ({ path }));
  const outline = readOutline(files, {
    projectDirectory: directory,
    readText: (path) => texts.get(path),
    titleOf: (path) => titles.get(path),
  });
  return listsPages(outline.pages, pages, new Map());
}

function* documentPagesIn(pages: ListedPage[]): Generator<ListedPage & { file: string }> {
  for (const page of pages) {
    if (page.file !== undefined) yield { ...page, file: page.file };
    yield* documentPagesIn(page.pages);
  }
}

function renamedFilesIn(pages: ListedPage[]): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const { file, formerFile } of documentPagesIn(pages))
    if (formerFile !== undefined) renamed.set(formerFile, file);
  return renamed;
}

import { joinInside, newFileFinder } from '../paths.js';
import type { SpaceConfig } from './space-config.js';

/** The files that say how a space is built. Paths are from the root of the tree; the files need not exist. */
export interface SettingFiles {
  /** The folder of the space. */
  root: string;
  summary: string;
  variables: string;
  tags: string;
}

/**
 * The configuration file of a project: `.gitbook.yaml`, else `book.json`, the format's predecessor (the same keys as JSON, which
 * is YAML). Undefined when there is neither.
 */
export const findConfigFile = (paths: ReadonlySet<string>, project: string): string | undefined =>
  [joinInside(project, '.gitbook.yaml'), joinInside(project, 'book.json')].find((path) => paths.has(path));

export function settingFilesOf(paths: ReadonlySet<string>, project: string, config: SpaceConfig): SettingFiles {
  const root = joinInside(project, config.root);
  const summary = joinInside(root, config.summary);
  return {
    root,
    summary: newFileFinder(paths)(summary) ?? summary,
    variables: joinInside(root, '.gitbook/vars.yaml'),
    tags: joinInside(root, '.gitbook/tags.yaml'),
  };
}

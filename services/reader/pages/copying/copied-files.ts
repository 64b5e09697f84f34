import type { Assets } from '../../../../shared/assets/open-assets.js';
import type { ZippedFile } from '../../../../shared/contract/zipped-file.js';
import { assetsPath } from '../../site/asset-addresses.js';
import type { ReaderDependencies } from '../../site/reader-context.js';
import { themeSheet } from '../../style/theme-sheet.js';
import { assetAnswer } from '../asset-answers.js';
import type { OpenCopy } from './copied-pages.js';
import { addressKey, type CopiedSite } from './copied-site.js';
import { archivePath, type Reference, withReferences } from './references.js';

/** Where stylesheets, fonts and icons are in an archive. */
const folder = 'assets';

/** The stylesheet of all pages, and its fonts. */
export function commonFiles({ css, font }: Assets): ZippedFile[] {
  const text = css.bytes.toString();
  const names = new Set(Array.from(text.matchAll(/url\("?fonts\/([^")]+)"?\)/g), ([, name = '']) => name));
  const fonts = [...names].flatMap((name): ZippedFile[] => {
    const found = font(name);
    return found ? [{ path: `${folder}/${found.path}`, base64: found.bytes.toString('base64') }] : [];
  });
  return [{ path: `${folder}/${css.path}`, text }, ...fonts];
}

interface Made {
  /** In the archive. */
  file: string;
  html: string;
}

/** A page as a file of an archive, and the files that it shows: icons, the stylesheet of its customization, uploads. */
export function zippedPage(
  { assets, config }: Pick<ReaderDependencies, 'assets' | 'config'>,
  { files }: CopiedSite,
  { opened, site }: OpenCopy,
  { file, html }: Made,
): ZippedFile[] {
  const { url, rootPath } = opened;
  const base = new URL(config.baseUrl);
  const theme = new URL(site.assets.theme, url);
  const needed = new Map<string, ZippedFile>();
  const need = (made: ZippedFile): Reference => {
    needed.set(made.path, made);
    return { path: made.path };
  };

  function findAsset(path: string): Reference | undefined {
    if (path === assets.css.path) return { path: `${folder}/${path}` };
    const { status, body = '', coding } = assetAnswer(assets, path);
    if (status !== 200) return undefined;
    const named = `${folder}/${archivePath(path)}`;
    return need(coding === 'base64' ? { path: named, base64: body } : { path: named, text: body });
  }

  function findTheme(): Reference {
    const { css, hash } = themeSheet(site.model.customization);
    const path = `${folder}/theme-${hash}.css`;
    return need({ path, text: withReferences(css, { url, path, find }) });
  }

  function find(address: URL): Reference {
    const isOfSite = address.hostname === url.hostname;
    const stays = { address: address.href };
    if (!isOfSite && address.hostname !== base.hostname) return stays;
    const root = isOfSite ? rootPath : base.pathname.replace(/\/+$/, '');
    const own = address.pathname.startsWith(`${root}/`) ? address.pathname.slice(root.length) : '';
    const [, id, name] = /^\/~files\/([0-9a-f]{64})\/([^/]+)$/.exec(own) ?? [];
    if (id && name) return need({ path: `files/${id.slice(0, 16)}/${archivePath(name)}`, blob: own + address.search });
    if (own.startsWith(assetsPath)) return findAsset(own.slice(assetsPath.length)) ?? stays;
    if (!isOfSite) return stays;
    if (address.pathname === theme.pathname) return findTheme();
    if (address.pathname.endsWith('/~search')) return null;
    const path = files.get(addressKey(address));
    return path === undefined ? stays : { path };
  }

  const text = withReferences(html, { url, path: file, find });
  return [{ path: file, text }, ...needed.values()];
}

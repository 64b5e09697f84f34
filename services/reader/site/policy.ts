import type { PublishedSite } from '../../sites/contract.js';
import type { Customization } from '../../sites/resources.js';
import { themeScriptHash } from '../parts/frame/theme-script.js';
import { fontSources } from '../style/font-stacks.js';
import type { RequestPlace } from './addresses.js';
import { assetsPath } from './asset-addresses.js';

interface Guarded {
  /** The folder of our scripts (`scriptsFolder`): no upload is in it. */
  scripts: string;
  customization: Customization;
  /** Origins of frames in the page. */
  frames: readonly string[];
  /** Scripts that integrations add to the page. */
  foreign: PublishedSite['scripts'];
}

/**
 * Names all that a page may load: our own script and stylesheets, pictures of any host, and the frames that it shows. Uploads have the same origin, so that
 * scripts are named by their folder.
 */
export function pagePolicy({ scripts, customization, frames, foreign }: Guarded): string {
  const foreignOrigins = originsOf(foreign.map(({ script }) => script));
  const isOpen = foreign.length > 0;
  const directives: [string, string[]][] = [
    ['default-src', ["'none'"]],
    ['script-src', [scripts, `'${themeScriptHash}'`, ...foreignOrigins]],
    ['style-src', ["'self'", ...(isOpen ? ["'unsafe-inline'"] : [])]],
    ['img-src', ["'self'", 'https:', 'http:', 'data:']],
    ['font-src', ["'self'", ...fontSources(customization)]],
    ['media-src', ["'self'", 'https:']],
    ['connect-src', ["'self'", ...(isOpen ? ['https:'] : [])]],
    ['frame-src', frames.length > 0 || isOpen ? [...frames, ...(isOpen ? ['https:'] : [])] : ["'none'"]],
    ['form-action', ["'self'"]],
    ['base-uri', ["'none'"]],
    ['frame-ancestors', ["'self'"]],
    // Scripts of others write pages as they like.
    ...(isOpen ? [] : ([['require-trusted-types-for', ["'script'"]]] as [string, string[]][])),
  ];
  return directives.map(([name, values]) => `${name} ${values.join(' ')}`).join('; ');
}

/** For pages without a site: the common stylesheet, and nothing that runs. */
export const barePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Names the folder of our scripts in a policy. `http:` stands for `https:` as well, which a proxy in front may speak. */
export const scriptsFolder = ({ url, rootPath }: Pick<RequestPlace, 'url' | 'rootPath'>): string =>
  `http://${url.host}${rootPath}${assetsPath}`;

const originsOf = (addresses: string[]): string[] => [
  ...new Set(addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).origin] : []))),
];

import { join } from 'node:path';
import { mainTexts, preludeText } from './worker-code.js';

/** The formats of scripts: a classic script with a `fetch` listener, or a module whose default export has `fetch`. */
export type ScriptFormat = 'v1' | 'v2';

/** The sockets in the folder of a process. */
export interface Sockets {
  /** The script listens here. */
  script: string;
  /** A worker beside the script listens here. It answers at once, unless the script holds the process. */
  health: string;
  /** The guard listens here; all requests of the script go to it. */
  guard: string;
}

/** Some 100 bytes are all that a path of a socket may have. */
export const socketsIn = (folder: string): Sockets => ({
  script: join(folder, 's'),
  health: join(folder, 'h'),
  guard: join(folder, 'g'),
});

/** Limit of the heap. Typed arrays lie outside it. */
const heapMebibytes = 128;
const compatibility =
  'compatibilityDate = "2025-05-05", compatibilityFlags = ["nodejs_compat"], globalOutbound = "guard"';

// A classic script is a CommonJS module here: it keeps its sloppy mode, and the modules around it can have what classic workers cannot import.
const scriptModules = {
  v1: '(name = "script.js", commonJsModule = embed "script.js")',
  v2: '(name = "script.mjs", esModule = embed "script.mjs")',
};

const configText = (format: ScriptFormat, { script, health, guard }: Sockets) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--max-old-space-size=${heapMebibytes}", "--expose-gc"],
  services = [
    (name = "script", worker = (modules = [
      (name = "main.mjs", esModule = embed "main.mjs"),
      (name = "prelude.mjs", esModule = embed "prelude.mjs"),
      ${scriptModules[format]}
    ], ${compatibility})),
    (name = "health", worker = (modules = [(name = "health.mjs", esModule = embed "health.mjs")], ${compatibility})),
    (name = "guard", external = (address = ${JSON.stringify(`unix:${guard}`)}, http = (style = proxy)))
  ],
  sockets = [
    (name = "script", address = ${JSON.stringify(`unix:${script}`)}, service = "script"),
    (name = "health", address = ${JSON.stringify(`unix:${health}`)}, service = "health")
  ]
);
`;

/** The configuration in the folder of a process. */
export const configurationFile = 'config.capnp';

/** Files that a process reads when it starts: texts by file name. */
export const workerFiles = (folder: string, format: ScriptFormat, script: string): Record<string, string> => ({
  [configurationFile]: configText(format, socketsIn(folder)),
  'main.mjs': mainTexts[format],
  'prelude.mjs': preludeText,
  'health.mjs': 'export default { fetch: () => new Response() };',
  [format === 'v1' ? 'script.js' : 'script.mjs']: script,
});

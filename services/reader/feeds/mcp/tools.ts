import { z } from 'zod';
import { problemsOf, safeParse } from '../../../../shared/text/schema-messages.js';
import { oneLine } from '../links.js';
import { type McpHit, type McpSite, readAddress } from './mcp-site.js';
import { type Outcome, type Params, rpcError } from './messages.js';

const maxHits = 20;
const maxExcerptLength = 2000;
const maxTitleLength = 200;

const text = (max: number) => z.string().trim().min(1).max(max);
const searchArguments = z.strictObject({ query: text(500) });
const pageArguments = z
  .strictObject({ url: text(2048).optional(), path: z.string().max(2048).optional() })
  .refine(({ url, path }) => (url === undefined) !== (path === undefined), 'give either url or path');

/** The first fault of arguments, in words that a model can act on. */
function argumentFault(error: z.ZodError): string {
  const [problem] = problemsOf(error.issues);
  return problem ? [...problem.path.map(String), problem.message].join(': ') : 'invalid arguments';
}

const blocks = (texts: string[], isError = false): Outcome => ({
  result: { content: texts.map((each) => ({ type: 'text', text: each })), isError },
});

const string = (description: string) => ({ type: 'string', description });
/** Objects without choices at the top: some clients refuse these. */
const inputSchema = (properties: Record<string, object>, required: string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

const hitText = ({ title, url, excerpt = '' }: McpHit) =>
  `Title: ${oneLine(title, maxTitleLength)}\nLink: ${url}\nContent: ${excerpt.slice(0, maxExcerptLength).trim().toWellFormed()}`;

interface Tool {
  title: string;
  describe: (site: string) => string;
  inputSchema: object;
  arguments: z.ZodType;
  run: (site: McpSite, given: Record<string, string>) => Promise<Outcome>;
}

/** Names and texts of results are those that clients of published GitBook sites know. */
const tools = new Map<string, Tool>([
  [
    'searchDocumentation',
    {
      title: 'Search the documentation',
      describe: (site) =>
        `Search the documentation "${site}". Gives the pages that hold all words of the query, the best first, each with its title, its link and the text around the words. Use it to find where something is described; then read the page with getPage.`,
      inputSchema: inputSchema({ query: string('Words to search for.') }, ['query']),
      arguments: searchArguments,
      run: async (site, { query = '' }) => {
        const hits = (await site.search(query)).slice(0, maxHits);
        return blocks(
          hits.length === 0 ? ['No page holds all these words. Try fewer or other words.'] : hits.map(hitText),
        );
      },
    },
  ],
  [
    'getPage',
    {
      title: 'Read a page',
      describe: (site) =>
        `Read a page of the documentation "${site}" as Markdown. Give either its url, such as a link of searchDocumentation, or its path on the site.`,
      inputSchema: inputSchema({
        url: string('The address of the page, such as a link of searchDocumentation.'),
        path: string('The path of the page on the site, such as guides/install. Empty for the front page.'),
      }),
      arguments: pageArguments,
      run: async (site, { url, path = '' }) => {
        const markdown = await readAddress(site, url ?? path);
        return markdown === null ? blocks(['There is no such page on this site.'], true) : blocks([markdown]);
      },
    },
  ],
]);

export const listTools = ({ title }: McpSite): object[] =>
  [...tools].map(([name, tool]) => ({
    name,
    title: tool.title,
    description: tool.describe(oneLine(title, maxTitleLength)),
    inputSchema: tool.inputSchema,
    annotations: { title: tool.title, readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  }));

const callSchema = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });

/** Since this version, a model is told of its wrong arguments in a result, which it can see. */
const correctionsSince = '2025-11-25';

export async function callTool(site: McpSite, params: Params, version: string): Promise<Outcome> {
  const call = safeParse(callSchema, params);
  if (!call.success) return rpcError('invalidParams', argumentFault(call.error));
  const tool = tools.get(call.data.name);
  if (!tool) return rpcError('invalidParams', `Unknown tool: ${oneLine(call.data.name, 100)}`);
  const given = safeParse(tool.arguments, call.data.arguments);
  if (given.success) return tool.run(site, given.data as Record<string, string>);
  const fault = argumentFault(given.error);
  return version < correctionsSince ? rpcError('invalidParams', fault) : blocks([fault], true);
}

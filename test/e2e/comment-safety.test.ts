import { mention, paragraphOf } from '../support/comment-documents.js';
import { type CommentPlace, commentSetting, newPlace } from '../support/comments.js';
import { newUser } from '../support/fixtures.js';
import {
  dangersInMarkdown,
  hostileBodies,
  strangersIn,
  textIn,
  textsOfLanguages,
} from '../support/hostile-comment-bodies.js';
import { wholeTables } from '../support/whole-tables.js';

const setting = commentSetting();
const { client } = setting;
let place: CommentPlace;
beforeAll(async () => {
  place = await newPlace(client, setting.organization, 'a space');
});

const at = (id: string, query = '') => `${place.at}/comments/${id}${query}`;

async function posted(body: object): Promise<any> {
  const answer = await client.post(`${place.at}/comments`, { body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** All of them are tried without a server by the test of the bodies of comments. */
const bodies = hostileBodies.filter((_, at) => wholeTables || at % 7 === 0);

it.each(bodies)('what comes back runs nothing in either format: %j', async (_, sent) => {
  const { id, body, mentions } = await posted(sent);
  expect([dangersInMarkdown(body.markdown), mentions]).toEqual([[], []]);
  const shown = (await client.get(at(id, '?format=document'))).body.body;
  expect([Object.keys(shown), strangersIn(shown.document)]).toEqual([['document'], []]);
  for (const field of ['html', 'onclick']) expect(JSON.stringify(shown)).not.toContain(`"${field}"`);
  expect((await client.get(at(id))).body.body).toEqual(body);
  const edited = await client.put(at(id), { body: shown });
  expect([edited.status, dangersInMarkdown(edited.body.body?.markdown ?? '')]).toEqual([200, []]);
  const again = (await client.get(at(id, '?format=document'))).body.body.document;
  expect(textIn(again)).toBe(textIn(shown.document));
});

it('hidden characters that languages and emoji need are kept', async () => {
  for (const markdown of textsOfLanguages) expect((await posted({ markdown })).body).toEqual({ markdown });
});

it('a reply is as safe as a comment, and a body says nothing of who may not be seen', async () => {
  const comment = await posted({ markdown: 'A question' });
  const replies = at(comment.id, '/replies');
  const made = await client.post(`${replies}?format=document`, { body: { markdown: '<b>a</b> [x](javascript:y)' } });
  expect(textIn(made.body.body.document)).toBe('<b>a</b> x');
  const { body } = await client.get(`${replies}/${made.body.id}`);
  expect(dangersInMarkdown(body.body.markdown)).toEqual([]);
  const stranger = await newUser(client);
  const mentioning = await posted({ markdown: `[a](/users/${stranger.id}) [b](/users/nobody) [c](/users/__proto__)` });
  expect(mentioning.mentions).toEqual([]);
  expect((await posted(paragraphOf(mention(stranger.id)))).mentions).toEqual([]);
});

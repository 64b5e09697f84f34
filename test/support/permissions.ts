import { shared, walk } from './fixtures.js';
import type { Client } from './server.js';

const admin = shared();

/** What permissions are given on, as paths name it. */
export const places = ['spaces', 'collections'] as const;
type Place = (typeof places)[number];

/** The path of a new space or collection. */
export async function newPlace(
  organization: string,
  kind: Place,
  client = admin,
  input: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await client.post(`/v1/orgs/${organization}/${kind}`, { title: 'A place', ...input });
  expect(status).toBe(201);
  return `/v1/${kind}/${body.id}`;
}

export async function newTeam(organization: string, members: string[]): Promise<string> {
  const { status, body } = await admin.put(`/v1/orgs/${organization}/teams`, { title: 'Team', members });
  expect(status).toBe(201);
  return body.id;
}

/** Grants a role on the space or collection at this path. */
export async function give(place: string, body: Record<string, unknown>, client = admin): Promise<void> {
  const answer = await client.post(`${place}/permissions`, body);
  expect([answer.status, answer.body]).toEqual([204, '']);
}

export const statusOf = async (client: Client, path: string) => (await client.get(path)).status;

/** The names of the caller's own permissions on a resource. */
export const rightsOf = async (client: Client, path: string) => {
  const { permissions } = (await client.get(path)).body;
  return Object.keys(permissions).filter((right) => permissions[right]);
};

/** The listed permissions, by the id of their user or team. */
export const levelsIn = async (path: string, client = admin) => {
  const items = await walk(client, path, 100);
  return Object.fromEntries(items.map(({ permission, user, team }) => [(user ?? team).id, permission]));
};

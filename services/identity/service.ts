import type { ServiceBroker, ServiceSchema } from 'moleculer';
import type { Context } from '../../shared/contract/service.js';
import { bindService, implement } from '../../shared/contract/service.js';
import { Outbox } from '../../shared/outbox.js';
import type { Platform } from '../../shared/platform.js';
import type { Write } from '../../shared/store/port.js';
import { bootstrapIdentity, noteTold } from './bootstrap.js';
import { authenticate, type FirstStart, firstStartTold, identityContract, takeFirstStart } from './contract.js';
import { type CallersChanged, callersChanged } from './events.js';
import { collections, outboxEvents } from './model.js';
import { createOrganization, getOrganization, listOrganizations, resolveOrganizations } from './organizations.js';
import { organizationKind, type Role } from './resources.js';
import { callerOf, createToken, listTokens, revokeToken } from './tokens.js';
import { getUser } from './users.js';

/** The user behind the call; the contract lets no other kind of caller through. */
const userOf = ({ caller }: Context): string => (caller.kind === 'user' ? caller.user : '');

export function identityService({ store, config, log, exclusive, ready }: Platform): ServiceSchema {
  const { baseUrl } = config;
  let bus: ServiceBroker;
  let firstStart: FirstStart | null = null;
  const outbox = new Outbox({
    store,
    collection: outboxEvents,
    log,
    deliver: ({ event, payload }) => bus.broadcast(event, payload),
  });
  /** The caller sees its change with its next request, others within the life of their caches, which the event shortens. */
  async function changing<T>(context: Context, act: (writes: Write[]) => Promise<T>): Promise<T> {
    const done = await act([outbox.add<CallersChanged>(callersChanged, { user: userOf(context) })]);
    context.callerChanged();
    outbox.wake();
    return done;
  }
  return bindService({
    name: 'identity',
    contract: identityContract,
    ready,
    checkResponses: config.CHECK_RESPONSES,
    resolvers: [{ kind: organizationKind, resolve: resolveOrganizations }],
    handlers: {
      getAuthenticatedUser: (_, context) => getUser(store, baseUrl, context.caller, userOf(context)),
      getUserById: ({ path }, context) => getUser(store, baseUrl, context.caller, path.userId),
      createUserToken: ({ body }, context) => createToken(store, baseUrl, userOf(context), body),
      listUserTokens: ({ query }, context) => listTokens(store, baseUrl, userOf(context), query),
      deleteUserToken: ({ path }, context) =>
        changing(context, (writes) => revokeToken(store, userOf(context), path.tokenId, writes)),
      createOrganization: ({ body }, context) =>
        changing(context, (writes) => createOrganization(store, baseUrl, userOf(context), body, writes)),
      listOrganizationsForAuthenticatedUser: ({ query }, context) =>
        listOrganizations(store, baseUrl, userOf(context), query),
      getOrganizationById: ({ path }, { access }) =>
        getOrganization(store, baseUrl, path.organizationId, access.role as Role | null),
    },
    verbs: [
      implement(firstStartTold, () => noteTold(store)),
      implement(authenticate, ({ hash }) => callerOf(store, hash)),
      implement(takeFirstStart, async () => {
        const taken = firstStart;
        firstStart = null;
        return taken;
      }),
    ],
    async started(broker) {
      bus = broker;
      await store.prepare(collections);
      firstStart = await bootstrapIdentity(store, config, exclusive);
      outbox.start();
    },
    stopped: () => outbox.stop(),
  });
}

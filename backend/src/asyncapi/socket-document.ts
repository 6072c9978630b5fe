import type { Ack, ClientMessages, CurrentUsers, InProjectAnswer, LoginAnswer, ProjectPush, ServerMessages } from '@roughmix/contracts/live.js';
import { InProject, LeftProject, Login } from '@roughmix/contracts/live.api.js';
import { UpdateMetrics } from '@roughmix/contracts/plays/play.api.js';
import { UpdateNewUserNotif } from '@roughmix/contracts/notifications/notification.api.js';
import { NOTIFICATION_SETS } from '@roughmix/contracts/notifications/notification.types.js';
import type { ChecklistAnswer } from '@roughmix/contracts/notifications/notification.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import { type AsyncApiDocument, type Channel, channelRef, infoOf, type Message, messageOfChannel, messageRef } from './document.js';
import { either, listOf, nothing, objectOf, oneOf, optional, orNull, position, ref, type Schema, text } from './schema.js';
import { checklist } from './notification-views.js';
import { COLLECTIONS, COMMENTS, MEDIA, NOTIFICATIONS, PROJECTS, type PushContent, REGIONS, TODOS, USERS } from './push-types.js';
import { VIEWS } from './views.js';

/** Without channels that specs add. */
type DocumentedChannel = Exclude<keyof ServerMessages, 'currentUsers'>;

interface Pushes {
  readonly types: Readonly<Record<string, PushContent>>;
  readonly view: string;
  readonly about: string;
  /** Pushes about something else than a project carry no `projectId`. */
  readonly isOutsideProjects?: true;
  /** Fields of every push of the channel. */
  readonly fields?: Schema;
}

const PUSHES: Readonly<Record<DocumentedChannel, Pushes>> = {
  projects: { types: PROJECTS, view: 'ProjectView', about: 'changes of a project and its members' },
  media: { types: MEDIA, view: 'VersionView', about: 'versions' },
  regions: { types: REGIONS, view: 'RegionView', about: 'regions of versions' },
  comments: { types: COMMENTS, view: 'CommentView', about: 'comments and replies' },
  todos: { types: TODOS, view: 'TodoView', about: 'todos and replies' },
  collections: { types: COLLECTIONS, view: 'CollectionView', about: 'collections of a user', isOutsideProjects: true },
  users: { types: USERS, view: 'SelfView', about: "the user's own profile, and erased users whose names they may know", isOutsideProjects: true },
  notification: {
    types: NOTIFICATIONS,
    view: 'NotificationView',
    about: "the user's notifications",
    isOutsideProjects: true,
    fields: { counts: ref('NotificationCounts') },
  },
};

const MEMBERS_TYPES: readonly string[] = ['ProjectUsersInvited', 'ProjectPermissions', 'ProjectUsersRemoved'] satisfies readonly ProjectPush['type'][];

const pushFields = {
  actorUid: orNull(text),
  commandId: orNull(text),
  position,
};

const memberFields = (type: string): Schema =>
  MEMBERS_TYPES.includes(type)
    ? { uids: listOf(text), ...(type === 'ProjectUsersRemoved' ? {} : { permissionLevel: ref('PermissionLevel'), message: text }) }
    : {};

const oneOfSet: Schema = { ids: nothing, set: oneOf(...NOTIFICATION_SETS) };

function payloadOf(type: string, { view, isOutsideProjects, fields: more = {} }: Pushes, content: PushContent): Schema {
  const fields = { ...(isOutsideProjects === true ? {} : { projectId: text }), ...pushFields, ...more };
  const showing = (shown: Schema): Schema => ({
    type: 'object',
    additionalProperties: false,
    required: ['type', ...Object.keys(fields), ...Object.keys(shown), ...(MEMBERS_TYPES.includes(type) ? ['uids'] : [])],
    properties: { type: { const: type }, ...fields, ...shown, ...memberFields(type) },
  });
  const variants = { view: { view: ref(view) }, ids: { ids: listOf(text) } };
  if (content === 'either') return either(showing(variants.view), showing(variants.ids));
  return content === 'idsOrSet' ? either(showing(variants.ids), showing(oneOfSet)) : showing(variants[content]);
}

const pushMessages = (): readonly (readonly [string, Message])[] =>
  Object.values(PUSHES).flatMap((pushes) =>
    Object.entries(pushes.types).map(
      ([type, content]) => [type, { name: type, summary: `${type}: ${SUMMARIES[content]}`, payload: payloadOf(type, pushes, content) }] as const,
    ),
  );

const SUMMARIES: Readonly<Record<PushContent, string>> = {
  view: 'the current resource',
  ids: 'the ids of removed resources',
  either: 'the current resource, or its id if the receiver can no longer see it',
  idsOrSet: 'the ids of resources, or the set that contains all of them',
};

const bodies = validationMetadatasToSchemas({ classTransformerMetadataStorage: defaultMetadataStorage });
const bodyOf = (name: string): Schema => ({ ...bodies[name], additionalProperties: false });

const CLIENT_MESSAGES: Readonly<Record<keyof ClientMessages, { readonly about: string; readonly body: Schema; readonly answer: string }>> = {
  login: {
    about: 'lists this user in `currentUsers` of the joined rooms; with `after`, missed pushes of the user room precede the answer',
    body: bodyOf(Login.name),
    answer: 'LoggedIn',
  },
  logout: { about: 'removes this socket from `currentUsers`', body: { type: 'object', additionalProperties: false }, answer: 'Done' },
  'in-project': { about: 'joins the room of a project; pushes missed since `after` precede the answer', body: bodyOf(InProject.name), answer: 'Joined' },
  'left-project': { about: 'leaves the room of a project', body: bodyOf(LeftProject.name), answer: 'Done' },
  'update-metrics': {
    about: 'counts seconds of a version that were heard; at most every 30 s for each version',
    body: bodyOf(UpdateMetrics.name),
    answer: 'Done',
  },
  'update-newUserNotif': { about: 'ticks or unticks an item of the welcome checklist', body: bodyOf(UpdateNewUserNotif.name), answer: 'ChecklistShown' },
};

type Ticked = Extract<Ack<ChecklistAnswer & { readonly position: Position }>, { ok: true }>;
const checklistAnswer = objectOf<Ticked>({ ok: { const: true }, position, checklist });
const joined = { ok: { const: true }, position, log: text, reload: optional({ const: true }) } as const;
const loginAnswer = objectOf<Extract<Ack<LoginAnswer>, { ok: true }>>(joined);
const inProjectAnswer = objectOf<Extract<Ack<InProjectAnswer>, { ok: true }>>({ ...joined, users: listOf(ref('PersonView')) });
const refused = objectOf<Extract<Ack, { ok: false }>>({ ok: { const: false }, problem: ref('Problem') });

const ANSWERS: Readonly<Record<string, Message>> = {
  Done: {
    name: 'Done',
    summary: 'acknowledged, or refused with a problem',
    payload: either(objectOf<Extract<Ack<{ readonly position: Position }>, { ok: true }>>({ ok: { const: true }, position }), refused),
  },
  LoggedIn: { name: 'LoggedIn', summary: 'the position of the user room, or refused with a problem', payload: either(loginAnswer, refused) },
  Joined: { name: 'Joined', summary: 'the position of the room and the users in it, or refused with a problem', payload: either(inProjectAnswer, refused) },
  ChecklistShown: { name: 'ChecklistShown', summary: 'the checklist, or refused with a problem', payload: either(checklistAnswer, refused) },
};

const currentUsers: Message = {
  name: 'CurrentUsers',
  summary: 'the users viewing a project; each is listed once, however many tabs they have open',
  payload: objectOf<CurrentUsers>({ projectId: text, users: listOf(ref('PersonView')) }),
};

const serverChannels = (): Readonly<Record<keyof ServerMessages, Channel>> => ({
  projects: pushChannel('projects'),
  media: pushChannel('media'),
  regions: pushChannel('regions'),
  comments: pushChannel('comments'),
  todos: pushChannel('todos'),
  collections: pushChannel('collections'),
  users: pushChannel('users'),
  notification: pushChannel('notification'),
  currentUsers: { address: 'currentUsers', description: 'presence, to members only', messages: { CurrentUsers: messageRef('CurrentUsers') } },
});

const receivers = ({ isOutsideProjects }: Pushes): string =>
  isOutsideProjects === true ? "to the owner's user room" : 'to everyone in the room of the project, and what differs between viewers to each user room';

const pushChannel = (name: DocumentedChannel): Channel => ({
  address: name,
  description: `${PUSHES[name].about}, in log order; ${receivers(PUSHES[name])}`,
  messages: Object.fromEntries(Object.keys(PUSHES[name].types).map((type) => [type, messageRef(type)])),
});

const clientChannels = (): Readonly<Record<string, Channel>> =>
  Object.fromEntries(
    Object.entries(CLIENT_MESSAGES).map(([name, { about, answer }]) => [
      name,
      { address: name, description: about, messages: { [name]: messageRef(name), [answer]: messageRef(answer) } },
    ]),
  );

function operations(): Readonly<Record<string, Schema>> {
  const pushed = Object.keys(serverChannels()).map((name): readonly [string, Schema] => [`push-${name}`, { action: 'send', channel: channelRef(name) }]);
  const received = Object.entries(CLIENT_MESSAGES).map(([name, { answer }]): readonly [string, Schema] => {
    const reply = { channel: channelRef(name), messages: [messageOfChannel(name, answer)] };
    return [`take-${name}`, { action: 'receive', channel: channelRef(name), messages: [messageOfChannel(name, name)], reply }];
  });
  return Object.fromEntries([...pushed, ...received]);
}

const ABOUT = `The socket of Roughmix: socket.io 4 over websocket only, at /socket.io. Each channel is the name of a socket.io event, each message its one argument.
Messages from browsers are acknowledged. A tab recognises its own changes by \`commandId\`; the newest \`position\` of a resource wins.`;

/** The AsyncAPI document of the socket, generated from contracts. */
export function socketDocument(): AsyncApiDocument {
  const sent = Object.entries(CLIENT_MESSAGES).map(([name, { about, body }]) => [name, { name, summary: about, payload: body }] as const);
  return {
    asyncapi: '3.0.0',
    info: infoOf('Roughmix: live messages', ABOUT),
    defaultContentType: 'application/json',
    servers: {
      site: {
        host: 'localhost:3000',
        pathname: '/socket.io',
        protocol: 'wss',
        description: 'the web server; the session cookie authenticates',
        security: [{ type: 'httpApiKey', name: 'roughmix_session', in: 'cookie' }],
      },
    },
    channels: { ...serverChannels(), ...clientChannels() },
    operations: operations(),
    components: { messages: { ...Object.fromEntries(pushMessages()), CurrentUsers: currentUsers, ...Object.fromEntries(sent), ...ANSWERS }, schemas: VIEWS },
  };
}

import type { DeviceSession, SelfView } from '@roughmix/contracts/users/user.view.js';
import { selfCalled } from './people-and-projects';
import { startStubServer, type StubServer } from './stub-server';

/** A server on which one user is signed in and can change their account. */
export interface AccountServer extends StubServer {
  /** The commands so far, as `PUT /api/users/maren`. */
  readonly commands: () => readonly string[];
  /** The body of the last such command. */
  readonly bodyOf: (command: string) => unknown;
}

const OWN_PHOTO = '/api/users/maren/images/2';

/** A new user: an address and nothing else. */
export const newcomer = (changes: Partial<SelfView> = {}): SelfView =>
  selfCalled('Maren', {
    firstName: '',
    lastName: '',
    username: 'maren',
    smallPhoto: '/api/users/maren/photo',
    largePhoto: '/api/users/maren/photo',
    photoURL: '/api/users/maren/photo',
    profileCompletion: 0,
    ...changes,
  });

export const withPhoto = (user: SelfView): SelfView => ({ ...user, smallPhoto: OWN_PHOTO, largePhoto: `${OWN_PHOTO}-large`, photoURL: OWN_PHOTO });

/** Starts it; each command changes the user that the next one answers with. */
export async function startAccountServer(signedIn: SelfView): Promise<AccountServer> {
  let user = signedIn;
  const answer = (changed: SelfView) => {
    user = changed;
    return { json: { updatedUser: user, smallPhoto: user.smallPhoto, largePhoto: user.largePhoto, coverPhoto: user.coverPhoto } };
  };
  const server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user, staffRole: null } }),
    'GET /api/auth/sessions': () => ({ json: { sessions: [] } }),
    'GET /api/projects/:uid': () => ({ json: { projects: [] } }),
    'GET /api/collections/:uid': () => ({ json: { collections: [] } }),
    'POST /api/storage/uploads': () => ({
      status: 201,
      json: { uploadId: 'u1', versionId: null, url: '/api/storage/put', method: 'PUT', headers: {}, expiresAt: 0 },
    }),
    'PUT /api/storage/put': () => ({ status: 204 }),
    'PUT /api/users/maren/photo': () => answer(withPhoto(user)),
    'DELETE /api/users/maren/photo': () => answer({ ...user, smallPhoto: '/api/users/maren/photo', largePhoto: '/api/users/maren/photo' }),
    'PUT /api/users/maren/cover': () => answer({ ...user, coverPhoto: '/api/users/maren/images/3' }),
    'PUT /api/users/maren': ({ body }) => {
      const { info, settings, newPassword, ...names } = body as Partial<SelfView> & { readonly newPassword?: string };
      return answer({
        ...user,
        ...names,
        info: { ...user.info, ...info },
        settings: {
          pushNotifs: { ...user.settings.pushNotifs, ...settings?.pushNotifs },
          mailNotifs: { ...user.settings.mailNotifs, ...settings?.mailNotifs },
          profile: { ...user.settings.profile, ...settings?.profile },
        },
        profileCompletion: newPassword === undefined ? user.profileCompletion : 1,
      });
    },
    'POST /api/auth/password': () => ({ status: 204 }),
  });
  const sent = () => server.requests.filter(({ method }) => method !== 'GET').map((one) => ({ line: `${one.method} ${one.path}`, body: one.body }));
  return {
    ...server,
    commands: () => sent().map(({ line }) => line),
    bodyOf: (command) => sent().findLast(({ line }) => line === command)?.body,
  };
}

/** A picture of this type; its content is never decoded in specs. */
export const pictureFile = (type = 'image/png', size = 2_000): File => new File([new Uint8Array(size)], 'me.png', { type });

/** A signed-in device that was used just now; 's1' is the one of the session. */
export const deviceCalled = (_id: string, device: string): DeviceSession => ({
  _id,
  current: _id === 's1',
  dateAdded: Date.now(),
  lastUsed: Date.now(),
  device,
});

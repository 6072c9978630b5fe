import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { UserImageBody } from '@roughmix/contracts/users/user.api.js';
import type { CoverAnswer, PhotoAnswer } from '@roughmix/contracts/users/user.view.js';
import type { UploadPurpose } from '@roughmix/contracts/media/upload.api.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { idFrom } from '../platform/ids.js';
import { type CleanImage, Images } from '../platform/images/images.js';
import { type CommandContext, type Executed, type Preparation, prepareOnce } from '../platform/streams/streams.js';
import { BLOBS } from '../platform/tokens.js';
import { fromUploadedImage } from '../platform/uploads/uploaded-image.js';
import { type ArrivedUpload, Uploads } from '../platform/uploads/uploads.js';
import type { UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import { coverArea, photoArea } from './picture-crop.js';
import { SelfQueries } from './self.queries.js';
import type { UserCommand } from './user.decider.js';
import { pictureKey, UserStreams } from './user.streams.js';
import { ChangeCover, ChangePhoto } from './users.commands.js';

const PHOTO_SIZES = [LIMITS.smallPhoto, LIMITS.largePhoto].map((side) => ({ width: side, height: side }));
const COVER_SIZE = { width: LIMITS.coverWidth, height: LIMITS.coverHeight };

/** A command with the pictures that it names, each under the name of its file. */
interface Prepared {
  readonly command: UserCommand;
  readonly files: readonly (readonly [file: string, image: CleanImage])[];
}

interface Change {
  readonly context: CommandContext;
  readonly uid: Uid;
  readonly purpose: UploadPurpose;
  /** Null removes the picture. */
  readonly body: UserImageBody | null;
}

/** Base of the handlers that change a picture: its files are stored before the event that names them. */
abstract class ChangePicture {
  @Inject()
  protected readonly images: Images;

  constructor(
    protected readonly streams: UserStreams,
    protected readonly selves: SelfQueries,
    readonly uploads: Uploads,
    @Inject(BLOBS) readonly blobs: BlobStore,
  ) {}

  protected async change(
    { context, uid, purpose, body }: Change,
    removal: UserCommand,
    make: (path: string, name: string) => Promise<Prepared>,
  ): Promise<Executed<UserStreamEvent>> {
    if (body === null) return this.streams.run(context, uid, removal);
    let write: (() => Preparation | null) | null = null;
    const build = async (): Promise<UserCommand> => {
      const upload = await this.uploads.findArrived(body.uploadId, { uid, purpose, projectId: null });
      const { command, files } = await fromUploadedImage(this, upload, context.commandId, (path) =>
        make(path, idFrom('picture', body.uploadId, context.commandId)),
      );
      // A conflict decides the command again, but the files are written once.
      write = prepareOnce(() => this.store(upload, uid, files));
      return command;
    };
    const done = await this.streams.run(context, uid, build, { prepare: () => write?.() ?? null });
    await this.uploads.finish(body.uploadId);
    return done;
  }

  private async store(upload: ArrivedUpload, uid: Uid, files: Prepared['files']): Promise<void> {
    for (const [file, { bytes }] of files) {
      await this.uploads.recordMove(upload, pictureKey(uid, file));
      await this.blobs.write(pictureKey(uid, file), bytes);
    }
  }
}

@CommandHandler(ChangePhoto)
export class ChangePhotoHandler extends ChangePicture implements ICommandHandler<ChangePhoto> {
  async execute({ context, uid, body }: ChangePhoto): Promise<CommandAnswer<PhotoAnswer>> {
    const removal: UserCommand = { type: 'ChangePhoto', data: { photo: null } };
    const done = await this.change({ context, uid, purpose: 'profile-photo', body }, removal, async (path, name) => {
      const [small, large] = await this.images.cut(path, (size) => photoArea(size, body?.crop), PHOTO_SIZES);
      if (small === undefined || large === undefined) throw new Error('an image was cut into fewer sizes than asked for');
      const [smallFile, largeFile] = [`${name}-${LIMITS.smallPhoto}.${small.extension}`, `${name}-${LIMITS.largePhoto}.${large.extension}`];
      const photo = { contentType: small.contentType, small: smallFile, large: largeFile };
      return {
        command: { type: 'ChangePhoto', data: { photo } },
        files: [
          [smallFile, small],
          [largeFile, large],
        ],
      };
    });
    return this.streams.answer(done, async () => {
      const updatedUser = await this.selves.view(uid);
      return { updatedUser, smallPhoto: updatedUser.smallPhoto, largePhoto: updatedUser.largePhoto };
    });
  }
}

@CommandHandler(ChangeCover)
export class ChangeCoverHandler extends ChangePicture implements ICommandHandler<ChangeCover> {
  async execute({ context, uid, body }: ChangeCover): Promise<CommandAnswer<CoverAnswer>> {
    const removal: UserCommand = { type: 'ChangeCover', data: { cover: null } };
    const done = await this.change({ context, uid, purpose: 'cover-photo', body }, removal, async (path, name) => {
      const [image] = await this.images.cut(path, (size) => coverArea(size, body?.crop), [COVER_SIZE]);
      if (image === undefined) throw new Error('an image was cut into fewer sizes than asked for');
      const cover = { contentType: image.contentType, file: `${name}-cover.${image.extension}` };
      return { command: { type: 'ChangeCover', data: { cover } }, files: [[cover.file, image]] };
    });
    return this.streams.answer(done, async () => {
      const updatedUser = await this.selves.view(uid);
      return { updatedUser, coverPhoto: updatedUser.coverPhoto };
    });
  }
}

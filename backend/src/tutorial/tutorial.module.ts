import { Module } from '@nestjs/common';
import { MediaModule } from '../media/media.module.js';
import type { SliceParts } from '../platform/slice.js';
import { UsersModule } from '../users/users.module.js';
import { CreateTutorialWhenProfileCompleted } from './create-tutorial-when-profile-completed.reactor.js';
import { TutorialAudio } from './tutorial-audio.js';
import { TutorialController } from './tutorial.controller.js';
import { Tutorials } from './tutorials.js';

@Module({
  imports: [MediaModule, UsersModule],
  controllers: [TutorialController],
  providers: [TutorialAudio, Tutorials, CreateTutorialWhenProfileCompleted],
  exports: [CreateTutorialWhenProfileCompleted],
})
export class TutorialModule {}

export const parts: SliceParts = { module: TutorialModule, reactors: [CreateTutorialWhenProfileCompleted] };

import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { EmptyBody } from '@roughmix/contracts/users/user.api.js';
import { type Caller, CurrentCaller } from '../../platform/http/caller.js';
import type { CommandAnswer } from '../../platform/http/command-answer.js';
import { CurrentContext } from '../../platform/http/request-context.js';
import { idFrom } from '../../platform/ids.js';
import type { CommandContext } from '../../platform/streams/streams.js';
import { MoveRehearsalBody, ScheduleRehearsalBody } from './rehearsal.api.js';
import type { RehearsalCommand } from './rehearsal.decider.js';
import type { RehearsalAnswer, RehearsalNoticesAnswer } from './rehearsal.view.js';
import { CommandRehearsal } from './rehearsals.commands.js';
import { RehearsalsQueries } from './rehearsals.queries.js';

type Answered = Promise<CommandAnswer<RehearsalAnswer>>;

@Controller('api/rehearsals')
export class RehearsalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly rehearsals: RehearsalsQueries,
  ) {}

  @Get('notices')
  async notices(@CurrentCaller() { uid }: Caller): Promise<RehearsalNoticesAnswer> {
    return { notices: await this.rehearsals.noticesFor(uid) };
  }

  @Get(':id')
  async one(@CurrentCaller() { uid }: Caller, @Param('id') id: Id): Promise<RehearsalAnswer> {
    return { rehearsal: await this.rehearsals.seenBy(id, uid) };
  }

  @Post()
  schedule(@CurrentCaller() caller: Caller, @CurrentContext() context: CommandContext, @Body() body: ScheduleRehearsalBody): Answered {
    const id = idFrom('rehearsal', caller.uid, context.commandId);
    return this.send(caller, context, id, { type: 'ScheduleRehearsal', data: body });
  }

  @Put(':id/start')
  move(@CurrentCaller() caller: Caller, @CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() body: MoveRehearsalBody): Answered {
    return this.send(caller, context, id, { type: 'MoveRehearsal', data: body });
  }

  @Post(':id/join')
  @HttpCode(200)
  join(@CurrentCaller() caller: Caller, @CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() _body: EmptyBody): Answered {
    return this.send(caller, context, id, { type: 'JoinRehearsal', data: {} });
  }

  @Post(':id/leave')
  @HttpCode(200)
  leave(@CurrentCaller() caller: Caller, @CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() _body: EmptyBody): Answered {
    return this.send(caller, context, id, { type: 'LeaveRehearsal', data: {} });
  }

  @Post(':id/cancel')
  @HttpCode(200)
  cancel(@CurrentCaller() caller: Caller, @CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() _body: EmptyBody): Answered {
    return this.send(caller, context, id, { type: 'CancelRehearsal', data: {} });
  }

  private send({ uid }: Caller, context: CommandContext, id: Id, command: RehearsalCommand): Answered {
    return this.commands.execute(new CommandRehearsal(context, uid, id, command));
  }
}

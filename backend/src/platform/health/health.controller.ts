import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/caller.js';
import { Readiness } from './readiness.js';

/** For those who watch over the process. */
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process answers. */
  @Get('live')
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 when the stores can be written and the read models have caught up since the start; 503 before. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const report = await this.readiness.report();
    void reply.status(report.status === 'ready' ? 200 : 503).header('Cache-Control', 'no-store');
    return report;
  }
}

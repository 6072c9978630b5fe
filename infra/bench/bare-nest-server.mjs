// The peer of answers.mjs: plain Nest with Fastify. GET / returns hello; POST /comments inserts a row into PostgreSQL, if POSTGRES_URL is set.
import 'reflect-metadata';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Pool } from 'pg';

const CONNECTIONS = 16;
const database = process.env.POSTGRES_URL ? new Pool({ connectionString: process.env.POSTGRES_URL, max: CONNECTIONS }) : null;
if (database !== null)
  await database.query('CREATE TABLE IF NOT EXISTS comments (id bigserial PRIMARY KEY, project text, content text, at timestamptz DEFAULT now())');

class Routes {
  hello() {
    return 'hello';
  }

  async add({ projectId, submission }) {
    const { rows } = await database.query('INSERT INTO comments (project, content) VALUES ($1, $2) RETURNING id', [projectId, submission.content]);
    return rows[0];
  }
}
const decorate = (name, ...decorators) => {
  for (const decorator of decorators) decorator(Routes.prototype, name, Object.getOwnPropertyDescriptor(Routes.prototype, name));
};
Controller()(Routes);
decorate('hello', Get());
decorate('add', Post('comments'));
Body()(Routes.prototype, 'add', 0);

class Bare {}
Module({ controllers: [Routes] })(Bare);

const app = await NestFactory.create(Bare, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
process.stdout.write(`${await app.getUrl()}\n`);

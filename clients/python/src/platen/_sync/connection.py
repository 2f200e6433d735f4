# Made by `npm run generate` from _async/connection.py. Edit that file.
"""Sends the requests of a client."""

from __future__ import annotations

from typing import Any, TypeVar

import httpx

from .._flow import Deadline, Flow, Sleep, send
from .._generations import Call
from .._http import Answer, Request
from .._session import Session, hands_on, refuse_long_headers
from ..errors import call_timeout
from .network import open_client, sleep, within

_T = TypeVar("_T")


class Connection:
    """Takes the steps of flows. `timeout` is that of calls that have none of their own."""

    def __init__(
        self,
        session: Session,
        http: httpx.Client | None,
        *,
        timeout: float,
        retries: int,
    ) -> None:
        self.timeout = timeout
        self.retries = retries
        self._session = session
        self._http = open_client(http)

    def close(self) -> None:
        self._http.close()

    def call(self, timeout: float | None) -> Call:
        return Call(self.retries, Deadline(self.timeout if timeout is None else timeout))

    def send(self, request: Request, timeout: float | None = None) -> Answer:
        call = self.call(timeout)
        return self.run(send(request, call.retries, call.deadline), call.deadline)

    def json(self, request: Request, timeout: float | None = None) -> Any:
        """The JSON of the answer, or `None` if there is none."""
        answer = self.send(request, timeout)
        return answer.json()

    def run(self, flow: Flow[_T], deadline: Deadline) -> _T:
        try:
            step = next(flow)
            while True:
                try:
                    answer = self._take(step, deadline)
                except httpx.RequestError as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(answer)
        except StopIteration as stop:
            result: _T = stop.value
            return result

    def _take(self, step: Request | Sleep, deadline: Deadline) -> Answer | None:
        remaining = deadline.remaining()
        if isinstance(step, Sleep):
            sleep(max(0, min(step.seconds, remaining)))
            if step.seconds >= remaining:
                raise call_timeout(deadline.seconds)
            return None
        if remaining <= 0:
            raise call_timeout(deadline.seconds)
        # The parts of a file arrive after this call, each within the whole limit.
        limit = deadline.seconds if step.is_file else remaining
        request = self._session.build(self._http, step, limit)
        with within(deadline):
            response = self._http.send(request, stream=True, follow_redirects=step.is_file)
            if hands_on(step, response):
                return Answer(response.status_code, response.headers, b"", response)
            try:
                refuse_long_headers(response)
                body = response.read()
            finally:
                response.close()
        return Answer(response.status_code, response.headers, body)

"""The error codes of the dialect, and the error object that travels between agents."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

AUTH_REQUIRED = -32001
TASK_NOT_FOUND = -32002
INSUFFICIENT_SCOPE = -32003
RATE_LIMITED = -32004
AGENT_UNAVAILABLE = -32005
TASK_TIMEOUT = -32006
CONTENT_TOO_LARGE = -32007
SKILL_NOT_FOUND = -32008

# The client decides by the code alone; `retryable` in the data is for its caller.
RETRYABLE = frozenset({INTERNAL_ERROR, RATE_LIMITED, AGENT_UNAVAILABLE, TASK_TIMEOUT})


class RpcError(Exception):
    """A JSON-RPC error of this agent, or of the agent that it called."""

    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = {} if data is None else data

    def to_json(self):
        shape = {"code": self.code, "message": self.message}
        return {**shape, "data": self.data} if self.data else shape


def wrap_downstream(downstream_agent, downstream_error, current_agent):
    """The error that an agent reports when an agent that it called has failed."""
    data = downstream_error.get("data", {})
    return RpcError(
        INTERNAL_ERROR,
        f"Downstream agent '{downstream_agent}' failed",
        {
            "currentAgent": current_agent,
            "downstreamAgent": downstream_agent,
            "downstreamError": downstream_error,
            "retryable": data.get("retryable", False),
        },
    )

"""What tasks in Python have in common: parameters in, a result or an error out, as JSON.

    class MyTask(TaskHelper):
        def task(self, args):
            return {"result": args["hello"]}

    if __name__ == "__main__":
        MyTask().run()

Works with Python 2.7 and every 3, since targets may be old.
"""
import json
import sys


class TaskError(Exception):
    """Ends a task with an error of a kind of its own."""

    def __init__(self, msg, kind, details=None, issue_code=None):
        super(TaskError, self).__init__(msg)
        self.kind = kind
        self.details = {} if details is None else details
        self.issue_code = issue_code

    def to_hash(self):
        error = {"kind": self.kind, "msg": str(self), "details": self.details}
        if self.issue_code:
            error["issue_code"] = self.issue_code
        return error


class TaskHelper(object):
    def __init__(self):
        self.debug_statements = []

    def debug(self, statement):
        """Keeps a text that becomes part of an error's details."""
        self.debug_statements.append(statement)

    def task(self, args):
        raise TaskError("TaskHelper.task is not implemented", "python.task.helper/exception", {}, "EXCEPTION")

    def run(self):
        """Reads the parameters, runs the task, prints its result; exit status 1 for an error."""
        try:
            result = self.task(json.load(sys.stdin))
        except TaskError as error:
            self._fail(error)
        except Exception as error:  # whatever a task did not foresee
            details = {"class": type(error).__name__, "debug": self.debug_statements}
            self._fail(TaskError(str(error), "python.task.helper/exception", details, "EXCEPTION"))
        else:
            json.dump(result, sys.stdout)

    @staticmethod
    def _fail(error):
        json.dump({"_error": error.to_hash()}, sys.stdout)
        sys.exit(1)
